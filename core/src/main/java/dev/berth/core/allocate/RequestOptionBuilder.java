package dev.berth.core.allocate;

import dev.berth.core.inventory.Pool;
import dev.berth.core.ledger.Holdings;
import dev.berth.core.taint.Taints;
import dev.berth.model.api.Node;
import dev.berth.model.api.SliceScope;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds out beforehand all that does not depend on the course of the search: which devices an
/// option can have, what it consumes of them, and the values that its constraints compare.
final class RequestOptionBuilder {

    private final NodeDevices arena;
    private final Set<AllocatorFeature> features;
    private final Holdings holdings;
    private final CapacityRounding rounding;
    private final DerivedValues derived;
    private final ToleratedErrors tolerance;

    // What was judged last: claims often ask for the same thing again and again.
    private Optional<RequestOptionDraft> last = Optional.empty();

    RequestOptionBuilder(
            NodeDevices arena,
            Set<AllocatorFeature> features,
            SelectorCache selections,
            Holdings holdings,
            ToleratedErrors tolerance) {
        this.arena = arena;
        this.features = features;
        this.holdings = holdings;
        this.rounding =
                new CapacityRounding(features.contains(AllocatorFeature.FRACTIONAL_CAPACITY_RANGE));
        this.tolerance = tolerance;
        this.derived = new DerivedValues(arena, selections, tolerance);
    }

    void exactly(RequestOptionDraft draft, int count) {
        draft.wants(count);
        if (last.isPresent() && draft.isLike(last.get())) {
            draft.takeJudgementOf(last.get());
            return;
        }
        draft.candidates = new long[Math.max(1, BitSets.words(arena.size()))];
        draft.spent = new long[draft.candidates.length];
        for (var device = 0; device < arena.size(); device++) {
            var fault = judge(draft, device);
            if (fault.isPresent()) {
                draft.faults.put(device, fault.get());
            }
        }
        last = Optional.of(draft);
    }

    /// @throws Preparation.Refusal when a device cannot be judged: "all" would have no meaning
    void all(RequestOptionDraft draft) {
        draft.all = true;
        draft.candidates = new long[Math.max(1, BitSets.words(arena.size()))];
        draft.spent = new long[draft.candidates.length];
        var devices = new ArrayList<Integer>();
        for (var device = 0; device < arena.size(); device++) {
            var fault = judge(draft, device);
            if (fault.isPresent()) {
                throw new RequestPreparation.Refusal(fault.get());
            }
            if (draft.consumed.get(device) != null) {
                devices.add(device);
            }
        }
        draft.allDevices = devices.stream().mapToInt(Integer::intValue).toArray();
        draft.wants(devices.size());
    }

    /// Records what the option makes of one device; a fault is returned.
    private Optional<String> judge(RequestOptionDraft draft, int device) {
        draft.consumed.add(null);
        var pool = arena.pool(device);
        var row = arena.row(device);
        if (!has(AllocatorFeature.DEVICE_BINDING_AND_STATUS)
                && !arena.traits(device).bindingConditions().isEmpty()) {
            return Optional.empty();
        }
        var match = draft.selection.match(pool.slice(row));
        var inSlice = pool.rowInSlice(row);
        var fault = match.fault(inSlice);
        if (fault.isPresent()) {
            var message = fault.get().on(arena.id(device), draft.claimName);
            return fault.get().onDevice() && tolerance.passesOver(message)
                    ? Optional.empty()
                    : Optional.of(message);
        }
        if (!match.matches(inSlice)) {
            return Optional.empty();
        }
        if (pool.scope(row) instanceof SliceScope.PerDevice) {
            var scope = pool.traits(row).scope();
            var malformed = Pool.fault(scope);
            if (malformed.isPresent() || !Pool.reaches(scope, arena.node())) {
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
        var capacities = arena.pool(device).capacities(arena.row(device));
        return switch (rounding.of(capacities, draft.demand.capacity())) {
            case CapacityRounding.Verdict.Consumes(var amounts) -> {
                accept(draft, device, amounts);
                yield Optional.empty();
            }
            case CapacityRounding.Verdict.Unsuitable _ -> Optional.empty();
            case CapacityRounding.Verdict.Unrepresentable(var message) ->
                    Optional.of(
                            "%s: checking capacity for device %s: %s"
                                    .formatted(draft.label, shown(draft, device), message));
        };
    }

    private String shown(RequestOptionDraft draft, int device) {
        var id = arena.id(device);
        return draft.all ? id.device() : id.toString();
    }

    private void accept(RequestOptionDraft draft, int device, Map<String, Quantity> amounts) {
        draft.consumed.set(device, amounts);
        if (isUsable(draft, device)) {
            BitSets.set(draft.candidates, device);
        }
    }

    private boolean isUsable(RequestOptionDraft draft, int device) {
        var traits = arena.traits(device);
        var skipped = arena.pool(device).slice(arena.row(device)).skipNodeOperations();
        if (!skipped.isEmpty() && !canSkipNodeOperations(features, arena.node())) {
            return false;
        }
        if (!arena.isShareable(device) && isOverdrawn(draft, device)) {
            // A request for all devices learns of it only when the constraints have had their say.
            BitSets.set(draft.spent, device);
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

    /// Whether devices can be used that need nothing done on the node.
    static boolean canSkipNodeOperations(Set<AllocatorFeature> features, Node node) {
        return features.contains(AllocatorFeature.OPTIONAL_NODE_OPERATIONS)
                && node.status().canSkipOperations();
    }

    /// Whether too much of a device is consumed that was shareable once and is not any more.
    private boolean isOverdrawn(RequestOptionDraft draft, int device) {
        var held = holdings.consumed().get(arena.id(device));
        var wanted = draft.consumed.get(device);
        if (held == null || wanted == null) {
            return false;
        }
        for (var capacity : arena.pool(device).capacities(arena.row(device)).entrySet()) {
            var name = capacity.getKey();
            var sum =
                    wanted.getOrDefault(name, Quantity.ZERO)
                            .plus(held.getOrDefault(name, Quantity.ZERO));
            if (wanted.containsKey(name) && sum.compareTo(capacity.getValue().value()) > 0) {
                return true;
            }
        }
        return false;
    }

    private boolean has(AllocatorFeature feature) {
        return features.contains(feature);
    }

    /// Options and the state in which their search begins.
    record Finished(List<RequestOption> options, SearchState state) {}

    Finished finish(List<RequestOptionDraft> drafts, List<Constraint> constraints, int claims) {
        var compared = new ArrayList<DerivedValues.Compared>();
        var computed = new HashSet<String>();
        for (var draft : drafts) {
            draft.demand.derivedAttributes().forEach(attribute -> computed.add(attribute.name()));
        }
        for (var draft : drafts) {
            compared.add(derived.compared(draft, constraints, computed));
        }
        var book = RemainingCapacity.of(arena, holdings, demands(drafts));
        var extra = constraints.stream().mapToInt(Constraint::size).sum();
        var state = new SearchState(arena, holdings, claims, book, extra);
        var at = state.constraintsAt();
        for (var constraint : constraints) {
            constraint.placeAt(at);
            at += constraint.size();
        }
        var options = new ArrayList<RequestOption>();
        for (var i = 0; i < drafts.size(); i++) {
            var needs =
                    i > 0 && drafts.get(i).isJudgedAs(drafts.get(i - 1))
                            ? options.getLast().needs()
                            : needs(drafts.get(i), book);
            options.add(option(drafts.get(i), compared.get(i), needs));
        }
        return new Finished(options, state);
    }

    private List<List<Map<String, Quantity>>> demands(List<RequestOptionDraft> drafts) {
        var demands = new ArrayList<List<Map<String, Quantity>>>();
        for (var device = 0; device < arena.size(); device++) {
            demands.add(arena.isShareable(device) ? demands(drafts, device) : List.of());
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
                draft.spent,
                draft.faults,
                draft.consumed,
                needs,
                compared.constraints(),
                compared.values(),
                compared.faults());
    }

    private long[][] needs(RequestOptionDraft draft, RemainingCapacity book) {
        var needs = new long[arena.size()][];
        for (var device = 0; device < needs.length; device++) {
            needs[device] = needs(draft.consumed.get(device), device, book);
        }
        return needs;
    }

    private static long[] needs(
            @Nullable Map<String, Quantity> consumed, int device, RemainingCapacity book) {
        if (consumed == null) {
            return new long[book.columns(device)];
        }
        return book.counted(device, consumed);
    }
}
