package dev.berth.core.testkit.reference;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.model.quantity.Quantity;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Decides whether a device can be assigned to a request in the current search state.
final class DeviceFeasibility {

    private static final String OPTIONAL_NODE_OPERATIONS = "DRAOptionalNodeOperations";

    private final AllocationRequest allocationRequest;
    private final ReferenceCapacities capacities;
    private final ReferenceCounters counters;
    private final ReferenceConstraints constraints;
    private final Supplier<String> shareIds;

    DeviceFeasibility(
            AllocationRequest allocationRequest,
            ReferenceCapacities capacities,
            ReferenceConstraints constraints,
            Supplier<String> shareIds) {
        this.allocationRequest = allocationRequest;
        this.capacities = capacities;
        this.counters = new ReferenceCounters(allocationRequest.holdings());
        this.constraints = constraints;
        this.shareIds = shareIds;
    }

    boolean isInUse(
            int claim, ReferenceDemand demand, ReferenceCandidate candidate, ReferenceState state) {
        var id = candidate.id();
        return demand.admin()
                ? state.holdsAlone(id, claim)
                : allocationRequest.holdings().exclusive().contains(id) || state.holdsAlone(id);
    }

    /// The capacity that the request would consume; empty when it is not available.
    Optional<Map<String, Quantity>> consumed(
            int claim, ReferenceDemand demand, ReferenceCandidate candidate, ReferenceState state) {
        if (!has(AllocatorFeature.CONSUMABLE_CAPACITY)) {
            return Optional.of(Map.of());
        }
        var id = candidate.id();
        var before = new HashMap<>(state.consumedOf(id));
        allocationRequest
                .holdings()
                .consumed()
                .getOrDefault(id, Map.of())
                .forEach((name, amount) -> before.merge(name, amount, Quantity::plus));
        try {
            return capacities.consumed(candidate.device(), demand.deviceDemand(), before);
        } catch (AllocationFault fault) {
            throw new AllocationFault(
                    "claim %s, request %s: checking capacity for device %s: %s"
                            .formatted(
                                    allocationRequest.claims().get(claim).ref(),
                                    demand.name(),
                                    id,
                                    fault.fault()));
        }
    }

    /// The new placement; empty when the device cannot be assigned.
    Optional<ReferencePlacement> place(
            int claim, ReferenceDemand demand, ReferenceCandidate candidate, ReferenceState state) {
        var device = candidate.device();
        var isShared = has(AllocatorFeature.CONSUMABLE_CAPACITY) && device.isShareable();
        var isFurtherShare =
                isShared && (counters.isSharedOut(candidate.id()) || state.shares(candidate.id()));
        var chargesCounters = !device.consumesCounters().isEmpty() && !isFurtherShare;
        if (isInUse(claim, demand, candidate, state)
                || !nodeCanSkipOperations(candidate)
                || !mayUseCounters(candidate)
                || (chargesCounters && !countersAllow(candidate, state))
                || isTainted(demand, candidate)
                || !constraintsAllow(claim, demand, candidate, state)) {
            return Optional.empty();
        }
        var consumed = consumed(claim, demand, candidate, state);
        if (consumed.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new ReferencePlacement(
                        claim,
                        demand,
                        candidate,
                        chargesCounters,
                        isShared ? Optional.of(shareIds.get()) : Optional.empty(),
                        isShared ? consumed.get() : Map.of()));
    }

    private boolean nodeCanSkipOperations(ReferenceCandidate candidate) {
        return candidate.slice().spec().skipNodeOperations().isEmpty()
                || (has(AllocatorFeature.OPTIONAL_NODE_OPERATIONS)
                        && allocationRequest
                                .node()
                                .status()
                                .declaredFeatures()
                                .contains(OPTIONAL_NODE_OPERATIONS));
    }

    private boolean mayUseCounters(ReferenceCandidate candidate) {
        return candidate.device().consumesCounters().isEmpty()
                || has(AllocatorFeature.PARTITIONABLE_DEVICES);
    }

    private boolean countersAllow(ReferenceCandidate candidate, ReferenceState state) {
        if (has(AllocatorFeature.COMPATIBILITY_GROUPS) && !counters.agree(candidate, state)) {
            return false;
        }
        return counters.suffice(candidate, state);
    }

    private boolean isTainted(ReferenceDemand demand, ReferenceCandidate candidate) {
        return has(AllocatorFeature.DEVICE_TAINTS)
                && ReferenceTaints.prevent(candidate.device(), demand.deviceDemand().tolerations());
    }

    private boolean constraintsAllow(
            int claim, ReferenceDemand demand, ReferenceCandidate candidate, ReferenceState state) {
        var spec = allocationRequest.claims().get(claim).spec();
        for (var constraint : spec.constraints()) {
            if (!constraints.allows(constraint, state.ofClaim(claim), demand, candidate)) {
                if (demand.all().isPresent()) {
                    throw new AllocationFault(
                            ("claim %s, request %s: cannot add device %s"
                                            + " because a claim constraint would not be satisfied")
                                    .formatted(
                                            allocationRequest.claims().get(claim).ref(),
                                            demand.name(),
                                            candidate.id()));
                }
                return false;
            }
        }
        return true;
    }

    private boolean has(AllocatorFeature feature) {
        return allocationRequest.features().contains(feature);
    }
}
