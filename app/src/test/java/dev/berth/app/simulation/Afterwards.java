package dev.berth.app.simulation;

import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// What must be so once nothing goes wrong any more and everybody has done what there was to do.
final class Afterwards {

    private final World world;
    private final Watchman watchman;

    Afterwards(World world, Watchman watchman) {
        this.world = world;
        this.watchman = watchman;
    }

    /// What is wrong, if anything is.
    Optional<String> unrest() {
        return claims().or(this::pods).or(new Owed(world)::anything).or(this::forgotten);
    }

    private Optional<String> claims() {
        for (var claim : watchman.claims().values()) {
            var name = Watchman.name(claim);
            for (var user : claim.objectOrEmpty("status").objects("reservedFor")) {
                var pod = watchman.pods().get(user.text("name"));
                if (pod == null
                        || !Watchman.uid(pod).equals(user.text("uid"))
                        || Watchman.isOver(pod)) {
                    return Optional.of(
                            "claim %s is still reserved for %s".formatted(name, user.text("name")));
                }
            }
            if (isLeaving(claim) && Watchman.users(claim).isEmpty()) {
                return Optional.of("claim %s does not go".formatted(name));
            }
            for (var owner : claim.objectOrEmpty("metadata").objects("ownerReferences")) {
                var pod = watchman.pods().get(owner.text("name"));
                if (pod == null
                        || !Watchman.uid(pod).equals(owner.text("uid"))
                        || Watchman.isOver(pod)) {
                    return Optional.of("claim %s has outlived its pod".formatted(name));
                }
            }
        }
        var holders = watchman.claims().values().stream().filter(Watchman::isAllocated).toList();
        return watchman.overused(holders);
    }

    private Optional<String> pods() {
        for (var pod : watchman.pods().values()) {
            var name = Watchman.name(pod);
            if (isLeaving(pod)) {
                return Optional.of("pod %s does not go".formatted(name));
            }
            var phase = pod.objectOrEmpty("status").text("phase");
            if (Watchman.isOnNode(pod) && !phase.equals("Running")) {
                return Optional.of("pod %s does not run: %s".formatted(name, phase));
            }
        }
        return Optional.empty();
    }

    /// Pods that could run, and do not.
    private Optional<String> forgotten() {
        var room = new Room(world);
        for (var pod : watchman.pods().values()) {
            if (pod.objectOrEmpty("spec").text("nodeName").isEmpty()) {
                var node = room.nodeFor(pod);
                if (node.isPresent()) {
                    return Optional.of(
                            "pod %s could be on %s, but waits: %s"
                                    .formatted(Watchman.name(pod), node.get(), conditions(pod)));
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

    /// What is left of claims when all pods are gone.
    Optional<String> leftovers() {
        if (!watchman.pods().isEmpty()) {
            return Optional.of("pods do not go: " + watchman.pods().keySet());
        }
        for (var claim : watchman.claims().values()) {
            var name = Watchman.name(claim);
            if (!claim.objectOrEmpty("metadata").objects("ownerReferences").isEmpty()) {
                return Optional.of("claim %s has outlived its pod".formatted(name));
            }
            // What was given devices and is used by nobody keeps them, by rule; what is reserved
            // for somebody must not be.
            if (!Watchman.users(claim).isEmpty()) {
                return Optional.of("claim %s is reserved for nobody".formatted(name));
            }
        }
        return Optional.empty();
    }

    private static boolean isLeaving(JsonObject object) {
        return object.objectOrEmpty("metadata").has("deletionTimestamp");
    }
}
