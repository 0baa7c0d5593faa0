package dev.berth.control.schedule;

import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.ResourceClaim;
import java.util.List;
import java.util.Optional;

/// What was decided about the claims of a pod, compared with what has become of them since.
final class AssumedClaims {

    private AssumedClaims() {}

    /// Why a pod must not be bound: a claim was deleted, or has not the devices any more for which
    /// the node was chosen, or is not reserved for the pod.
    static Optional<String> problem(PodBinding attempt, ClusterView view) {
        for (var claim : attempt.placed.question().allocated()) {
            var problem = problem(attempt, claim, ids(claim), view);
            if (problem.isPresent()) {
                return problem;
            }
        }
        for (var given : attempt.placed.fits().given()) {
            var claim = attempt.isExtended(given.ref()) ? attempt.made : Optional.of(given.claim());
            var problem = claim.flatMap(c -> problem(attempt, c, ids(given.result()), view));
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> problem(
            PodBinding attempt, ResourceClaim decided, List<DeviceId> devices, ClusterView view) {
        var name = decided.metadata().name();
        var seen = view.claim(decided.ref());
        if (seen.filter(now -> now.metadata().uid().equals(decided.metadata().uid())).isEmpty()) {
            return Optional.of(gone(decided));
        }
        var now = seen.get();
        if (now.status().allocation().isEmpty()) {
            return Optional.of(
                    "claim %s got deallocated elsewhere in the meantime".formatted(name));
        }
        if (!ids(now).equals(devices)) {
            return Optional.of(takenElsewhere(decided));
        }
        return now.status().reservedFor().contains(attempt.user(decided.ref()))
                ? Optional.empty()
                : Optional.of("claim %s is not reserved for the pod any more".formatted(name));
    }

    /// Whether a claim has lost the devices for which a node was chosen and got others.
    static boolean hasOtherDevices(ResourceClaim decided, ResourceClaim now) {
        return now.status().allocation().isPresent() && !ids(decided).equals(ids(now));
    }

    static String takenElsewhere(ResourceClaim claim) {
        return "claim %s got allocated elsewhere in the meantime"
                .formatted(claim.metadata().name());
    }

    static String gone(ResourceClaim claim) {
        return gone(claim.ref());
    }

    static String gone(ObjectRef claim) {
        return "claim %s got deleted in the meantime".formatted(claim.name());
    }

    private static List<DeviceId> ids(ResourceClaim claim) {
        return claim.status().allocation().map(AssumedClaims::ids).orElse(List.of());
    }

    private static List<DeviceId> ids(AllocationResult result) {
        return result.devices().stream().map(AllocatedDevice::id).toList();
    }
}
