package dev.berth.core.schedule;

import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import java.util.List;
import java.util.Optional;

/// Compares the claims of a decision with their current state.
final class BindingClaimCheck {

    private BindingClaimCheck() {}

    /// Why the claims must not be written: one was deleted, or has other devices than those for
    /// which the node was chosen.
    static Optional<String> beforeWrite(BindingCycle cycle, BindingFacts facts) {
        for (var claim : cycle.placed().request().allocated()) {
            var now = facts.latest(claim.ref());
            if (now.isEmpty()) {
                return Optional.of(deleted(claim.ref()));
            }
            if (now.get().status().allocation().isPresent() && !ids(claim).equals(ids(now.get()))) {
                return Optional.of(allocatedElsewhere(claim));
            }
        }
        for (var allocation : cycle.placed().fits().allocations()) {
            if (!cycle.isExtended(allocation.ref()) && facts.latest(allocation.ref()).isEmpty()) {
                return Optional.of(deleted(allocation.ref()));
            }
        }
        return Optional.empty();
    }

    /// Why the pod must not be bound: a claim was deleted, has other devices than those for which
    /// the node was chosen, or is not reserved for the pod.
    static Optional<String> beforeBind(
            BindingCycle cycle, BindingWrites writes, BindingFacts facts) {
        for (var claim : cycle.placed().request().allocated()) {
            var problem = beforeBind(cycle, claim, ids(claim), facts);
            if (problem.isPresent()) {
                return problem;
            }
        }
        for (var allocation : cycle.placed().fits().allocations()) {
            var claim =
                    cycle.isExtended(allocation.ref())
                            ? writes.extendedClaim()
                            : Optional.of(allocation.claim());
            var problem =
                    claim.flatMap(one -> beforeBind(cycle, one, ids(allocation.result()), facts));
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> beforeBind(
            BindingCycle cycle, ResourceClaim decided, List<DeviceId> devices, BindingFacts facts) {
        var name = decided.metadata().name();
        var seen = facts.watched(decided.ref());
        if (seen.filter(now -> now.metadata().uid().equals(decided.metadata().uid())).isEmpty()) {
            return Optional.of(deleted(decided.ref()));
        }
        var now = seen.get();
        if (now.status().allocation().isEmpty()) {
            return Optional.of(
                    "claim %s got deallocated elsewhere in the meantime".formatted(name));
        }
        if (!ids(now).equals(devices)) {
            return Optional.of(allocatedElsewhere(decided));
        }
        return now.status().reservedFor().contains(cycle.consumer(decided.ref()))
                ? Optional.empty()
                : Optional.of("claim %s is no longer reserved for the pod".formatted(name));
    }

    private static String allocatedElsewhere(ResourceClaim claim) {
        return "claim %s got allocated elsewhere in the meantime"
                .formatted(claim.metadata().name());
    }

    static String deleted(ObjectRef claim) {
        return "claim %s got deleted in the meantime".formatted(claim.name());
    }

    private static List<DeviceId> ids(ResourceClaim claim) {
        return claim.status().allocation().map(BindingClaimCheck::ids).orElse(List.of());
    }

    private static List<DeviceId> ids(AllocationResult result) {
        return result.devices().stream().map(AllocatedDevice::id).toList();
    }
}
