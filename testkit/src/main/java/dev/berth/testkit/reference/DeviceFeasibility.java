package dev.berth.testkit.reference;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.model.quantity.Quantity;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Whether a request can have a device now, all that is taken considered.
final class DeviceFeasibility {

    private static final String OPTIONAL_NODE_OPERATIONS = "DRAOptionalNodeOperations";

    private final AllocationRequest question;
    private final ReferenceCapacities capacities;
    private final ReferenceCounters counters;
    private final ReferenceConstraints constraints;
    private final Supplier<String> shareIds;

    DeviceFeasibility(
            AllocationRequest question,
            ReferenceCapacities capacities,
            ReferenceConstraints constraints,
            Supplier<String> shareIds) {
        this.question = question;
        this.capacities = capacities;
        this.counters = new ReferenceCounters(question.holdings());
        this.constraints = constraints;
        this.shareIds = shareIds;
    }

    boolean isInUse(
            int claim, ReferenceDemand demand, ReferenceCandidate candidate, ReferenceState taken) {
        var id = candidate.id();
        return demand.admin()
                ? taken.holdsAlone(id, claim)
                : question.holdings().exclusive().contains(id) || taken.holdsAlone(id);
    }

    /// What the request would consume; empty when it is not there.
    Optional<Map<String, Quantity>> consumed(
            int claim, ReferenceDemand demand, ReferenceCandidate candidate, ReferenceState taken) {
        if (!has(AllocatorFeature.CONSUMABLE_CAPACITY)) {
            return Optional.of(Map.of());
        }
        var id = candidate.id();
        var before = new HashMap<>(taken.consumedOf(id));
        question.holdings()
                .consumed()
                .getOrDefault(id, Map.of())
                .forEach((name, amount) -> before.merge(name, amount, Quantity::plus));
        try {
            return capacities.consumed(candidate.device(), demand.wish(), before);
        } catch (AllocationFault fault) {
            throw new AllocationFault(
                    "claim %s, request %s: checking capacity for device %s: %s"
                            .formatted(
                                    question.claims().get(claim).ref(),
                                    demand.name(),
                                    id,
                                    fault.fault()));
        }
    }

    /// The placement that is added; empty when the device cannot be had.
    Optional<ReferencePlacement> place(
            int claim, ReferenceDemand demand, ReferenceCandidate candidate, ReferenceState taken) {
        var device = candidate.device();
        var isShared = has(AllocatorFeature.CONSUMABLE_CAPACITY) && device.isShareable();
        var isFurtherShare =
                isShared && (counters.isSharedOut(candidate.id()) || taken.shares(candidate.id()));
        var chargesCounters = !device.consumesCounters().isEmpty() && !isFurtherShare;
        if (isInUse(claim, demand, candidate, taken)
                || !nodeCanSkipOperations(candidate)
                || !mayUseCounters(candidate)
                || (chargesCounters && !countersAllow(candidate, taken))
                || isTainted(demand, candidate)
                || !constraintsAllow(claim, demand, candidate, taken)) {
            return Optional.empty();
        }
        var consumed = consumed(claim, demand, candidate, taken);
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
                        && question.node()
                                .status()
                                .declaredFeatures()
                                .contains(OPTIONAL_NODE_OPERATIONS));
    }

    private boolean mayUseCounters(ReferenceCandidate candidate) {
        return candidate.device().consumesCounters().isEmpty()
                || has(AllocatorFeature.PARTITIONABLE_DEVICES);
    }

    private boolean countersAllow(ReferenceCandidate candidate, ReferenceState taken) {
        if (has(AllocatorFeature.COMPATIBILITY_GROUPS) && !counters.agree(candidate, taken)) {
            return false;
        }
        return counters.suffice(candidate, taken);
    }

    private boolean isTainted(ReferenceDemand demand, ReferenceCandidate candidate) {
        return has(AllocatorFeature.DEVICE_TAINTS)
                && ReferenceTaints.prevent(candidate.device(), demand.wish().tolerations());
    }

    private boolean constraintsAllow(
            int claim, ReferenceDemand demand, ReferenceCandidate candidate, ReferenceState taken) {
        var spec = question.claims().get(claim).spec();
        for (var constraint : spec.constraints()) {
            if (!constraints.allows(constraint, taken.ofClaim(claim), demand, candidate)) {
                if (demand.all().isPresent()) {
                    throw new AllocationFault(
                            ("claim %s, request %s: cannot add device %s"
                                            + " because a claim constraint would not be satisfied")
                                    .formatted(
                                            question.claims().get(claim).ref(),
                                            demand.name(),
                                            candidate.id()));
                }
                return false;
            }
        }
        return true;
    }

    private boolean has(AllocatorFeature feature) {
        return question.features().contains(feature);
    }
}
