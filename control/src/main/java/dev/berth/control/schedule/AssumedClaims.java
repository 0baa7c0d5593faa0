package dev.berth.control.schedule;

import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.ResourceClaim;
import java.util.List;
import java.util.Optional;

/// Compares the claims of a decision with their current state before the pod is bound.
final class AssumedClaims {

    private AssumedClaims() {}

    /// Why a pod must not be bound: a claim was deleted, has other devices than those for which the
    /// node was chosen, or is not reserved for the pod.
    static Optional<String> problem(PodBinding binding, ClusterView view) {
        for (var claim : binding.placed.request().allocated()) {
            var problem = problem(binding, claim, ids(claim), view);
            if (problem.isPresent()) {
                return problem;
            }
        }
        for (var allocation : binding.placed.fits().allocations()) {
            var claim =
                    binding.isExtended(allocation.ref())
                            ? binding.extendedClaim
                            : Optional.of(allocation.claim());
            var problem = claim.flatMap(c -> problem(binding, c, ids(allocation.result()), view));
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> problem(
            PodBinding binding, ResourceClaim decided, List<DeviceId> devices, ClusterView view) {
        var name = decided.metadata().name();
        var seen = view.claim(decided.ref());
        if (seen.filter(now -> now.metadata().uid().equals(decided.metadata().uid())).isEmpty()) {
            return Optional.of(deleted(decided));
        }
        var now = seen.get();
        if (now.status().allocation().isEmpty()) {
            return Optional.of(
                    "claim %s got deallocated elsewhere in the meantime".formatted(name));
        }
        if (!ids(now).equals(devices)) {
            return Optional.of(allocatedElsewhere(decided));
        }
        return now.status().reservedFor().contains(binding.consumer(decided.ref()))
                ? Optional.empty()
                : Optional.of("claim %s is no longer reserved for the pod".formatted(name));
    }

    /// True when a claim has other devices than those for which the node was chosen.
    static boolean hasOtherDevices(ResourceClaim decided, ResourceClaim now) {
        return now.status().allocation().isPresent() && !ids(decided).equals(ids(now));
    }

    static String allocatedElsewhere(ResourceClaim claim) {
        return "claim %s got allocated elsewhere in the meantime"
                .formatted(claim.metadata().name());
    }

    static String deleted(ResourceClaim claim) {
        return deleted(claim.ref());
    }

    static String deleted(ObjectRef claim) {
        return "claim %s got deleted in the meantime".formatted(claim.name());
    }

    private static List<DeviceId> ids(ResourceClaim claim) {
        return claim.status().allocation().map(AssumedClaims::ids).orElse(List.of());
    }

    private static List<DeviceId> ids(AllocationResult result) {
        return result.devices().stream().map(AllocatedDevice::id).toList();
    }
}
