package dev.berth.core.allocate;

import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.AllocationCount;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.DeviceConstraint;
import dev.berth.model.api.DeviceDemand;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.DeviceSelector;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Turns claims into requests that can be searched, or says what is wrong with them.
final class RequestPreparation {

    /// A claim that cannot be served as it stands; caught in [Allocator] and returned as an answer.
    static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;

        Refusal(String message) {
            super(message, null, false, false);
        }

        String text() {
            return String.valueOf(getMessage());
        }
    }

    /// A count beside the mode "All" is invalid, but nobody looks at it here.
    private static final String ALL = "All";

    private final NodeDevices arena;
    private final Map<String, DeviceClass> classes;
    private final Set<AllocatorFeature> features;
    private final SelectorCache selections;
    private final RequestOptionBuilder builder;
    private final ToleratedErrors tolerance;
    private final List<Draft> drafts = new ArrayList<>();
    private final List<Constraint> constraints = new ArrayList<>();

    /// A request whose options are not finished: what constraints compare is not known yet.
    private record Draft(
            int claim,
            String name,
            List<RequestOptionDraft> options,
            boolean prioritized,
            boolean first) {}

    RequestPreparation(
            NodeDevices arena,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            SelectorCache selections,
            Holdings holdings,
            ToleratedErrors tolerance) {
        this.arena = arena;
        this.classes = classes;
        this.features =
                features.isEmpty()
                        ? EnumSet.noneOf(AllocatorFeature.class)
                        : EnumSet.copyOf(features);
        this.selections = selections;
        this.tolerance = tolerance;
        this.builder =
                new RequestOptionBuilder(arena, this.features, selections, holdings, tolerance);
    }

    void add(int number, ResourceClaim claim) {
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
            throw new Refusal(
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
                    throw new Refusal(
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
                    throw new Refusal(
                            ("claim %s, request %s: missing device class name"
                                            + " (unsupported request type?)")
                                    .formatted(claimName, unknown.name()));
        };
    }

    private Draft alternatives(
            int claim, String claimName, DeviceRequest.FirstAvailable list, boolean first) {
        if (!has(AllocatorFeature.PRIORITIZED_LIST)) {
            throw new Refusal(
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
        var selection = selections.of(deviceClass, demand.selectors());
        var draft =
                new RequestOptionDraft(
                        label, claimName, request, name, claim, demand, admin, selection);
        switch (demand.count()) {
            case AllocationCount.ExactCount(var count) ->
                    builder.exactly(draft, (int) Math.min(count, Integer.MAX_VALUE));
            case AllocationCount.All _ -> {
                checkPools(label, selection);
                builder.all(draft);
            }
            case AllocationCount.Unrecognised(var mode, _) when mode.equals(ALL) -> {
                checkPools(label, selection);
                builder.all(draft);
            }
            case AllocationCount.Unrecognised(var mode, _) ->
                    throw new Refusal("%s: unsupported count mode %s".formatted(label, mode));
        }
        return draft;
    }

    private void checkCapacity(String label, DeviceDemand demand) {
        if (demand.capacity().isPresent() && !has(AllocatorFeature.CONSUMABLE_CAPACITY)) {
            throw new Refusal(
                    label
                            + ": has capacity requests, but the DRAConsumableCapacity feature is"
                            + " disabled");
        }
    }

    private void check(String label, DeviceDemand demand) {
        checkCapacity(label, demand);
        if (!demand.derivedAttributes().isEmpty() && !has(AllocatorFeature.DERIVED_ATTRIBUTES)) {
            throw new Refusal(
                    label
                            + ": cannot handle request with derived attributes, the feature is"
                            + " disabled");
        }
        for (var i = 0; i < demand.selectors().size(); i++) {
            if (demand.selectors().get(i) instanceof DeviceSelector.Unrecognised) {
                throw new Refusal(
                        "%s, selector #%d: CEL expression empty (unsupported selector type?)"
                                .formatted(label, i));
            }
        }
    }

    private DeviceClass deviceClass(String label, String name) {
        if (name.isEmpty()) {
            throw new Refusal(label + ": missing device class name (unsupported request type?)");
        }
        return Optional.ofNullable(classes.get(name))
                .orElseThrow(() ->
                        new Refusal(
                                ("%s: could not retrieve device class %s:"
                                                + " deviceclass.resource.k8s.io \"%s\" not found")
                                        .formatted(label, name, name)));
    }

    private void checkPools(String label, SelectorChain selection) {
        for (var pool : arena.pools()) {
            var state =
                    switch (pool.status()) {
                        case PoolView.Status.Complete _ -> Optional.<String>empty();
                        case PoolView.Status.Incomplete _ -> Optional.of("being updated");
                        case PoolView.Status.Invalid _, PoolView.Status.Malformed _ ->
                                Optional.of("invalid");
                    };
            if (state.isPresent()) {
                if (selection.rulesOut(pool.id().driver())
                        && tolerance.ignores(label, pool, state.get())) {
                    continue;
                }
                throw new Refusal(
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
                        throw new Refusal(
                                ("claim %s, constraint #%d: empty constraint"
                                                + " (unsupported constraint type?)")
                                        .formatted(name, i));
            }
        }
    }

    private boolean has(AllocatorFeature feature) {
        return features.contains(feature);
    }

    /// Lets all devices that have an attribute at all have the same value of it.
    void prefer(String attribute) {
        constraints.add(
                new Constraint(
                        Constraint.EVERY_CLAIM,
                        true,
                        attribute,
                        List.of(),
                        new ConstraintValues(true)));
    }

    /// All requests of all claims, with all that can be said of each device beforehand.
    Prepared finish(int claims) {
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

    record Prepared(List<SearchRequest> requests, SearchState state) {}
}
