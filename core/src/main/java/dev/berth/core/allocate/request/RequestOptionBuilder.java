package dev.berth.core.allocate.request;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.allocate.rule.CapacityRounding;
import dev.berth.core.allocate.rule.ToleratedErrors;
import dev.berth.core.allocate.selector.SelectorCache;
import dev.berth.core.allocate.state.BitSets;
import dev.berth.core.allocate.state.Constraint;
import dev.berth.core.allocate.state.NodeDevices;
import dev.berth.core.allocate.state.RemainingCapacity;
import dev.berth.core.allocate.state.RequestOption;
import dev.berth.core.allocate.state.SearchState;
import dev.berth.core.inventory.Pool;
import dev.berth.core.ledger.Holdings;
import dev.berth.core.taint.Taints;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.SliceScope;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Computes everything about a request that does not depend on the state of the search: candidate
/// devices, consumed capacity, and the values that constraints compare.
final class RequestOptionBuilder {

    private final NodeDevices nodeDevices;
    private final Set<AllocatorFeature> features;
    private final Holdings holdings;
    private final CapacityRounding rounding;
    private final DerivedValues derived;
    private final ToleratedErrors toleratedErrors;

    // The option evaluated last: claims often repeat equal requests.
    private Optional<RequestOptionDraft> last = Optional.empty();

    RequestOptionBuilder(
            NodeDevices nodeDevices,
            Set<AllocatorFeature> features,
            SelectorCache selectorCache,
            Holdings holdings,
            ToleratedErrors toleratedErrors) {
        this.nodeDevices = nodeDevices;
        this.features = features;
        this.holdings = holdings;
        this.rounding =
                new CapacityRounding(features.contains(AllocatorFeature.FRACTIONAL_CAPACITY_RANGE));
        this.toleratedErrors = toleratedErrors;
        this.derived = new DerivedValues(nodeDevices, selectorCache, toleratedErrors);
    }

    void exactly(RequestOptionDraft draft, int count) {
        draft.requireDevices(count);
        if (last.isPresent() && draft.isEquivalentTo(last.get())) {
            draft.copyEvaluationOf(last.get());
            return;
        }
        draft.candidates = new long[Math.max(1, BitSets.words(nodeDevices.size()))];
        draft.exhausted = new long[draft.candidates.length];
        for (var device = 0; device < nodeDevices.size(); device++) {
            var fault = evaluate(draft, device);
            if (fault.isPresent()) {
                draft.faults.put(device, fault.get());
            }
        }
        last = Optional.of(draft);
    }

    /// @throws RequestPreparation.InvalidRequestException when a selector fails on a device, so
    ///   that "all devices" is undefined
    void all(RequestOptionDraft draft) {
        draft.all = true;
        draft.candidates = new long[Math.max(1, BitSets.words(nodeDevices.size()))];
        draft.exhausted = new long[draft.candidates.length];
        var devices = new ArrayList<Integer>();
        for (var device = 0; device < nodeDevices.size(); device++) {
            var fault = evaluate(draft, device);
            if (fault.isPresent()) {
                throw new RequestPreparation.InvalidRequestException(fault.get());
            }
            if (draft.consumed.get(device) != null) {
                devices.add(device);
            }
        }
        draft.allDevices = devices.stream().mapToInt(Integer::intValue).toArray();
        draft.requireDevices(devices.size());
    }

    /// Evaluates one device for an option. Returns the error if the search has to fail on this
    /// device.
    private Optional<String> evaluate(RequestOptionDraft draft, int device) {
        draft.consumed.add(null);
        var pool = nodeDevices.pool(device);
        var row = nodeDevices.row(device);
        if (!has(AllocatorFeature.DEVICE_BINDING_AND_STATUS)
                && !nodeDevices.traits(device).bindingConditions().isEmpty()) {
            return Optional.empty();
        }
        var match = draft.selectorChain.match(pool.slice(row));
        var inSlice = pool.rowInSlice(row);
        var fault = match.fault(inSlice);
        if (fault.isPresent()) {
            var message = fault.get().on(nodeDevices.id(device), draft.claimName);
            return fault.get().onDevice() && toleratedErrors.tolerates(message)
                    ? Optional.empty()
                    : Optional.of(message);
        }
        if (!match.matches(inSlice)) {
            return Optional.empty();
        }
        if (pool.scope(row) instanceof SliceScope.PerDevice) {
            var scope = pool.traits(row).scope();
            var malformed = Pool.fault(scope);
            if (malformed.isPresent() || !Pool.reaches(scope, nodeDevices.node())) {
                return malformed;
            }
        }
        return consume(draft, device);
    }

    private Optional<String> consume(RequestOptionDraft draft, int device) {
        if (!has(AllocatorFeature.CONSUMABLE_CAPACITY)) {
            accept(draft, device, Map.of());
            return Optional.empty();
        }
        var capacities = nodeDevices.pool(device).capacities(nodeDevices.row(device));
        return switch (rounding.of(capacities, draft.demand.capacity())) {
            case CapacityRounding.Result.Consumes(var amounts) -> {
                accept(draft, device, amounts);
                yield Optional.empty();
            }
            case CapacityRounding.Result.Unsuitable _ -> Optional.empty();
            case CapacityRounding.Result.Unrepresentable(var message) ->
                    Optional.of(
                            "%s: checking capacity for device %s: %s"
                                    .formatted(draft.label, shown(draft, device), message));
        };
    }

    private String shown(RequestOptionDraft draft, int device) {
        var id = nodeDevices.id(device);
        return draft.all ? id.device() : id.toString();
    }

    private void accept(RequestOptionDraft draft, int device, Map<String, Quantity> amounts) {
        draft.consumed.set(device, amounts);
        if (isUsable(draft, device)) {
            BitSets.set(draft.candidates, device);
        }
    }

    private boolean isUsable(RequestOptionDraft draft, int device) {
        var traits = nodeDevices.traits(device);
        var skipped = nodeDevices.pool(device).slice(nodeDevices.row(device)).skipNodeOperations();
        if (!skipped.isEmpty() && !canSkipNodeOperations(features, nodeDevices.node())) {
            return false;
        }
        if (!nodeDevices.isShareable(device) && isOverdrawn(draft, device)) {
            // For a request for all devices, the search checks this after the constraints.
            BitSets.set(draft.exhausted, device);
            if (!draft.all) {
                return false;
            }
        }
        if (!traits.consumes().isEmpty() && !has(AllocatorFeature.PARTITIONABLE_DEVICES)) {
            return false;
        }
        return !has(AllocatorFeature.DEVICE_TAINTS)
                || Taints.untolerated(traits.taints(), draft.demand.tolerations()).isEmpty();
    }

    /// Whether devices that skip node operations can be used on the node.
    static boolean canSkipNodeOperations(Set<AllocatorFeature> features, Node node) {
        return features.contains(AllocatorFeature.OPTIONAL_NODE_OPERATIONS)
                && node.status().canSkipOperations();
    }

    /// Whether shares of a device that is no longer shareable leave too little capacity.
    private boolean isOverdrawn(RequestOptionDraft draft, int device) {
        var held = holdings.consumed().get(nodeDevices.id(device));
        var consumed = draft.consumed.get(device);
        if (held == null || consumed == null) {
            return false;
        }
        for (var capacity :
                nodeDevices.pool(device).capacities(nodeDevices.row(device)).entrySet()) {
            var name = capacity.getKey();
            var sum =
                    consumed.getOrDefault(name, Quantity.ZERO)
                            .plus(held.getOrDefault(name, Quantity.ZERO));
            if (consumed.containsKey(name) && sum.compareTo(capacity.getValue().value()) > 0) {
                return true;
            }
        }
        return false;
    }

    private boolean has(AllocatorFeature feature) {
        return features.contains(feature);
    }

    /// The options of all requests and the initial state of the search.
    record Result(List<RequestOption> options, SearchState state) {}

    Result finish(List<RequestOptionDraft> drafts, List<Constraint> constraints, int claims) {
        var compared = new ArrayList<DerivedValues.Compared>();
        var computed = new HashSet<String>();
        for (var draft : drafts) {
            draft.demand.derivedAttributes().forEach(attribute -> computed.add(attribute.name()));
        }
        for (var draft : drafts) {
            compared.add(derived.compared(draft, constraints, computed));
        }
        var remaining = RemainingCapacity.of(nodeDevices, holdings, demands(drafts));
        var extra = constraints.stream().mapToInt(Constraint::size).sum();
        var state = new SearchState(nodeDevices, holdings, claims, remaining, extra);
        var at = state.constraintsAt();
        for (var constraint : constraints) {
            constraint.placeAt(at);
            at += constraint.size();
        }
        var options = new ArrayList<RequestOption>();
        for (var i = 0; i < drafts.size(); i++) {
            var needs =
                    i > 0 && drafts.get(i).sharesEvaluationWith(drafts.get(i - 1))
                            ? options.getLast().needs()
                            : needs(drafts.get(i), remaining);
            options.add(option(drafts.get(i), compared.get(i), needs));
        }
        return new Result(options, state);
    }

    private List<List<Map<String, Quantity>>> demands(List<RequestOptionDraft> drafts) {
        var demands = new ArrayList<List<Map<String, Quantity>>>();
        for (var device = 0; device < nodeDevices.size(); device++) {
            demands.add(nodeDevices.isShareable(device) ? demands(drafts, device) : List.of());
        }
        return demands;
    }

    private static List<Map<String, Quantity>> demands(
            List<RequestOptionDraft> drafts, int device) {
        var demands = new ArrayList<Map<String, Quantity>>();
        for (var draft : drafts) {
            var amounts = draft.consumed.get(device);
            if (amounts != null) {
                demands.add(amounts);
            }
        }
        return demands;
    }

    private static RequestOption option(
            RequestOptionDraft draft, DerivedValues.Compared compared, long[][] needs) {
        return new RequestOption(
                draft.label,
                draft.name,
                draft.request,
                draft.claim,
                draft.demand,
                draft.admin,
                draft.all,
                draft.count(),
                draft.allDevices,
                draft.candidates,
                draft.exhausted,
                draft.faults,
                draft.consumed,
                needs,
                compared.constraints(),
                compared.values(),
                compared.faults());
    }

    private long[][] needs(RequestOptionDraft draft, RemainingCapacity remaining) {
        var needs = new long[nodeDevices.size()][];
        for (var device = 0; device < needs.length; device++) {
            needs[device] = needs(draft.consumed.get(device), device, remaining);
        }
        return needs;
    }

    private static long[] needs(
            @Nullable Map<String, Quantity> consumed, int device, RemainingCapacity remaining) {
        if (consumed == null) {
            return new long[remaining.columns(device)];
        }
        return remaining.counted(device, consumed);
    }
}
