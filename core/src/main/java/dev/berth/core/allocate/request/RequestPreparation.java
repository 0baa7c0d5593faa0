package dev.berth.core.allocate.request;

import dev.berth.core.allocate.bound.InterchangeableRequests;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.allocate.rule.ToleratedErrors;
import dev.berth.core.allocate.search.DeviceSearch;
import dev.berth.core.allocate.selector.SelectorCache;
import dev.berth.core.allocate.selector.SelectorChain;
import dev.berth.core.allocate.state.Constraint;
import dev.berth.core.allocate.state.ConstraintValues;
import dev.berth.core.allocate.state.NodeDevices;
import dev.berth.core.allocate.state.SearchRequest;
import dev.berth.core.allocate.state.SearchState;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.ResourceClaim;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Prepares the requests of all claims for the search and validates them.
public final class RequestPreparation {

    /// An invalid or unsupported request; caught in [Allocator] and returned as an outcome.
    public static final class InvalidRequestException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public InvalidRequestException(String message) {
            super(message, null, false, false);
        }

        public String text() {
            return String.valueOf(getMessage());
        }
    }

    /// The allocation mode "All". Kubernetes' allocator ignores an (invalid) count beside it.
    private static final String ALL = "All";

    private final NodeDevices nodeDevices;
    private final Map<String, DeviceClass> classes;
    private final Set<AllocatorFeature> features;
    private final SelectorCache selectorCache;
    private final RequestOptionBuilder builder;
    private final ToleratedErrors toleratedErrors;
    private final List<Draft> drafts = new ArrayList<>();
    private final List<Constraint> constraints = new ArrayList<>();

    /// A request whose options lack the values that constraints compare.
    private record Draft(
            int claim,
            String name,
            List<RequestOptionDraft> options,
            boolean prioritized,
            boolean first) {}

    public RequestPreparation(
            NodeDevices nodeDevices,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            SelectorCache selectorCache,
            Holdings holdings,
            ToleratedErrors toleratedErrors) {
        this.nodeDevices = nodeDevices;
        this.classes = classes;
        this.features =
                features.isEmpty()
                        ? EnumSet.noneOf(AllocatorFeature.class)
                        : EnumSet.copyOf(features);
        this.selectorCache = selectorCache;
        this.toleratedErrors = toleratedErrors;
        this.builder =
                new RequestOptionBuilder(
                        nodeDevices, this.features, selectorCache, holdings, toleratedErrors);
    }

    public void add(int number, ResourceClaim claim) {
        var name = claim.ref().toString();
        var least = 0L;
        var first = true;
        for (var request : claim.spec().requests()) {
            var draft = draft(number, name, request, first);
            least += draft.options.stream().mapToLong(RequestOptionDraft::count).min().orElse(0);
            drafts.add(draft);
            first = false;
        }
        if (least > DeviceSearch.MAX_DEVICES) {
            throw new InvalidRequestException(
                    "claim %s: number of requested devices %d exceeds the claim limit of %d"
                            .formatted(name, least, DeviceSearch.MAX_DEVICES));
        }
        addConstraints(number, name, claim.spec().constraints());
    }

    private Draft draft(int claim, String claimName, DeviceRequest request, boolean first) {
        return switch (request) {
            case DeviceRequest.Exactly exactly -> {
                var label = "claim " + claimName + ", request " + exactly.name();
                if (exactly.adminAccess().isPresent() && !has(AllocatorFeature.ADMIN_ACCESS)) {
                    check(label, exactly.demand());
                    throw new InvalidRequestException(
                            label + ": admin access is requested, but the feature is disabled");
                }
                var option =
                        option(
                                claim,
                                claimName,
                                label,
                                exactly.name(),
                                exactly.name(),
                                exactly.demand(),
                                exactly.isAdmin());
                yield new Draft(claim, exactly.name(), List.of(option), false, first);
            }
            case DeviceRequest.FirstAvailable list -> alternatives(claim, claimName, list, first);
            case DeviceRequest.Unrecognised unknown ->
                    throw new InvalidRequestException(
                            ("claim %s, request %s: missing device class name"
                                            + " (unsupported request type?)")
                                    .formatted(claimName, unknown.name()));
        };
    }

    private Draft alternatives(
            int claim, String claimName, DeviceRequest.FirstAvailable list, boolean first) {
        if (!has(AllocatorFeature.PRIORITIZED_LIST)) {
            throw new InvalidRequestException(
                    ("claim %s, request %s: has subrequests, but the DRAPrioritizedList"
                                    + " feature is disabled")
                            .formatted(claimName, list.name()));
        }
        var options = new ArrayList<RequestOptionDraft>();
        for (var alternative : list.alternatives()) {
            checkCapacity(
                    "claim %s, subrequest %s".formatted(claimName, alternative.name()),
                    alternative.demand());
            options.add(
                    option(
                            claim,
                            claimName,
                            "claim %s, request %s".formatted(claimName, alternative.name()),
                            list.name(),
                            list.name() + "/" + alternative.name(),
                            alternative.demand(),
                            false));
        }
        return new Draft(claim, list.name(), options, true, first);
    }

    private RequestOptionDraft option(
            int claim,
            String claimName,
            String label,
            String request,
            String name,
            DeviceDemand demand,
            boolean admin) {
        check(label, demand);
        var deviceClass = deviceClass(label, demand.deviceClassName());
        var selectorChain = selectorCache.of(deviceClass, demand.selectors());
        var draft =
                new RequestOptionDraft(
                        label, claimName, request, name, claim, demand, admin, selectorChain);
        switch (demand.count()) {
            case AllocationCount.ExactCount(var count) ->
                    builder.exactly(draft, (int) Math.min(count, Integer.MAX_VALUE));
            case AllocationCount.All _ -> {
                checkPools(label, selectorChain);
                builder.all(draft);
            }
            case AllocationCount.Unrecognised(var mode, _) when mode.equals(ALL) -> {
                checkPools(label, selectorChain);
                builder.all(draft);
            }
            case AllocationCount.Unrecognised(var mode, _) ->
                    throw new InvalidRequestException(
                            "%s: unsupported count mode %s".formatted(label, mode));
        }
        return draft;
    }

    private void checkCapacity(String label, DeviceDemand demand) {
        if (demand.capacity().isPresent() && !has(AllocatorFeature.CONSUMABLE_CAPACITY)) {
            throw new InvalidRequestException(
                    label
                            + ": has capacity requests, but the DRAConsumableCapacity feature is"
                            + " disabled");
        }
    }

    private void check(String label, DeviceDemand demand) {
        checkCapacity(label, demand);
        if (!demand.derivedAttributes().isEmpty() && !has(AllocatorFeature.DERIVED_ATTRIBUTES)) {
            throw new InvalidRequestException(
                    label
                            + ": cannot handle request with derived attributes, the feature is"
                            + " disabled");
        }
        for (var i = 0; i < demand.selectors().size(); i++) {
            if (demand.selectors().get(i) instanceof DeviceSelector.Unrecognised) {
                throw new InvalidRequestException(
                        "%s, selector #%d: CEL expression empty (unsupported selector type?)"
                                .formatted(label, i));
            }
        }
    }

    private DeviceClass deviceClass(String label, String name) {
        if (name.isEmpty()) {
            throw new InvalidRequestException(
                    label + ": missing device class name (unsupported request type?)");
        }
        return Optional.ofNullable(classes.get(name))
                .orElseThrow(() ->
                        new InvalidRequestException(
                                ("%s: could not retrieve device class %s:"
                                                + " deviceclass.resource.k8s.io \"%s\" not found")
                                        .formatted(label, name, name)));
    }

    private void checkPools(String label, SelectorChain selectorChain) {
        for (var pool : nodeDevices.pools()) {
            var state =
                    switch (pool.status()) {
                        case PoolView.Status.Complete _ -> Optional.<String>empty();
                        case PoolView.Status.Incomplete _ -> Optional.of("being updated");
                        case PoolView.Status.Invalid _, PoolView.Status.Malformed _ ->
                                Optional.of("invalid");
                    };
            if (state.isPresent()) {
                if (selectorChain.rulesOut(pool.id().driver())
                        && toleratedErrors.ignoresPool(label, pool, state.get())) {
                    continue;
                }
                throw new InvalidRequestException(
                        "%s: asks for all devices, but resource pool %s is currently %s"
                                .formatted(label, pool.id(), state.get()));
            }
        }
    }

    private void addConstraints(int claim, String name, List<DeviceConstraint> all) {
        var lists = has(AllocatorFeature.LIST_TYPE_ATTRIBUTES);
        for (var i = 0; i < all.size(); i++) {
            switch (all.get(i)) {
                case DeviceConstraint.MatchAttribute match ->
                        constraints.add(
                                new Constraint(
                                        claim,
                                        true,
                                        match.attribute(),
                                        match.requests(),
                                        new ConstraintValues(lists)));
                case DeviceConstraint.DistinctAttribute distinct ->
                        constraints.add(
                                new Constraint(
                                        claim,
                                        false,
                                        distinct.attribute(),
                                        distinct.requests(),
                                        new ConstraintValues(lists)));
                case DeviceConstraint.Unrecognised _ ->
                        throw new InvalidRequestException(
                                ("claim %s, constraint #%d: empty constraint"
                                                + " (unsupported constraint type?)")
                                        .formatted(name, i));
            }
        }
    }

    private boolean has(AllocatorFeature feature) {
        return features.contains(feature);
    }

    /// Adds a match constraint over all claims, for devices that have the attribute.
    public void prefer(String attribute) {
        constraints.add(
                new Constraint(
                        Constraint.EVERY_CLAIM,
                        true,
                        attribute,
                        List.of(),
                        new ConstraintValues(true)));
    }

    /// The prepared requests of all claims and the initial state of the search.
    public Prepared finish(int claims) {
        var finished =
                builder.finish(
                        drafts.stream().flatMap(draft -> draft.options.stream()).toList(),
                        constraints,
                        claims);
        var requests = new ArrayList<SearchRequest>();
        var next = 0;
        for (var draft : drafts) {
            var options = finished.options().subList(next, next + draft.options.size());
            next += draft.options.size();
            var request =
                    new SearchRequest(
                            draft.claim,
                            draft.name,
                            options,
                            draft.prioritized,
                            draft.first,
                            false);
            var like =
                    !requests.isEmpty() && InterchangeableRequests.of(requests.getLast(), request);
            requests.add(
                    new SearchRequest(
                            draft.claim,
                            draft.name,
                            options,
                            draft.prioritized,
                            draft.first,
                            like));
        }
        return new Prepared(requests, finished.state());
    }

    public record Prepared(List<SearchRequest> requests, SearchState state) {}
}
