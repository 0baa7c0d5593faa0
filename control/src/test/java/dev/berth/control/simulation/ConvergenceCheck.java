package dev.berth.control.simulation;

import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// Checks of the final state: once the faults have ended and no component has work left, all pods
/// and claims must be as specified.
final class ConvergenceCheck {

    private final SimulationEnvironment environment;
    private final InvariantChecker invariants;

    ConvergenceCheck(SimulationEnvironment environment, InvariantChecker invariants) {
        this.environment = environment;
        this.invariants = invariants;
    }

    /// The first violation, if there is one.
    Optional<String> violation() {
        return claims().or(this::pods)
                .or(new PendingWorkCheck(environment)::outstanding)
                .or(this::schedulable);
    }

    private Optional<String> claims() {
        for (var claim : invariants.claims().values()) {
            var name = InvariantChecker.name(claim);
            for (var user : claim.objectOrEmpty("status").objects("reservedFor")) {
                var pod = invariants.pods().get(user.text("name"));
                if (pod == null
                        || !InvariantChecker.uid(pod).equals(user.text("uid"))
                        || InvariantChecker.isTerminated(pod)) {
                    return Optional.of(
                            "claim %s is still reserved for %s".formatted(name, user.text("name")));
                }
            }
            if (isDeleting(claim) && InvariantChecker.users(claim).isEmpty()) {
                return Optional.of("claim %s is not deleted".formatted(name));
            }
            for (var owner : claim.objectOrEmpty("metadata").objects("ownerReferences")) {
                var pod = invariants.pods().get(owner.text("name"));
                if (pod == null
                        || !InvariantChecker.uid(pod).equals(owner.text("uid"))
                        || InvariantChecker.isTerminated(pod)) {
                    return Optional.of("claim %s has outlived its pod".formatted(name));
                }
            }
        }
        var holders =
                invariants.claims().values().stream()
                        .filter(InvariantChecker::isAllocated)
                        .toList();
        return invariants.overcommitted(holders);
    }

    private Optional<String> pods() {
        for (var pod : invariants.pods().values()) {
            var name = InvariantChecker.name(pod);
            if (isDeleting(pod)) {
                return Optional.of("pod %s is not deleted".formatted(name));
            }
            var phase = pod.objectOrEmpty("status").text("phase");
            if (InvariantChecker.isOnNode(pod) && !phase.equals("Running")) {
                return Optional.of("pod %s does not run: %s".formatted(name, phase));
            }
        }
        return Optional.empty();
    }

    /// Pods that fit on a node but are pending.
    private Optional<String> schedulable() {
        var room = new PlacementOracle(environment);
        for (var pod : invariants.pods().values()) {
            if (pod.objectOrEmpty("spec").text("nodeName").isEmpty()) {
                var node = room.nodeFor(pod);
                if (node.isPresent()) {
                    return Optional.of(
                            "pod %s fits on %s, but is pending: %s"
                                    .formatted(
                                            InvariantChecker.name(pod),
                                            node.get(),
                                            conditions(pod)));
                }
            }
        }
        return Optional.empty();
    }

    private static List<String> conditions(JsonObject pod) {
        return pod.objectOrEmpty("status").objects("conditions").stream()
                .map(one -> one.text("message"))
                .toList();
    }

    /// Claims that are left after all pods were deleted.
    Optional<String> leftovers() {
        if (!invariants.pods().isEmpty()) {
            return Optional.of("pods are not deleted: " + invariants.pods().keySet());
        }
        for (var claim : invariants.claims().values()) {
            var name = InvariantChecker.name(claim);
            if (!claim.objectOrEmpty("metadata").objects("ownerReferences").isEmpty()) {
                return Optional.of("claim %s has outlived its pod".formatted(name));
            }
            // A claim that was allocated and is not in use stays allocated, as in Kubernetes; a
            // reserved one must not be left.
            if (!InvariantChecker.users(claim).isEmpty()) {
                return Optional.of(
                        "claim %s is still reserved, but no pod is left".formatted(name));
            }
        }
        return Optional.empty();
    }

    private static boolean isDeleting(JsonObject object) {
        return object.objectOrEmpty("metadata").has("deletionTimestamp");
    }
}
