package dev.berth.control.simulation;

import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import dev.berth.server.store.Change;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Checks invariants after every change.
///
/// A claim is *in use* when it is reserved for a pod that exists, has a node and has not
/// terminated. Several schedulers may write the same device into two claims, since a Kubernetes
/// server permits it; but before one of them binds a pod, the other claim must have lost it.
final class InvariantChecker {

    private static final String PODS = "pods";
    private static final String CLAIMS = "resource.k8s.io/resourceclaims";

    private final SimulatedHardware hardware;
    private final Map<String, JsonObject> pods = new TreeMap<>();
    private final Map<String, JsonObject> claims = new TreeMap<>();
    private final Set<String> everSeen = new HashSet<>();

    InvariantChecker(SimulatedHardware hardware) {
        this.hardware = hardware;
    }

    Map<String, JsonObject> pods() {
        return pods;
    }

    Map<String, JsonObject> claims() {
        return claims;
    }

    /// The invariant that a change violates, if there is one.
    Optional<String> check(Change change) {
        var key = change.entry().key();
        var objects =
                switch (key.collection()) {
                    case PODS -> pods;
                    case CLAIMS -> claims;
                    default -> null;
                };
        if (objects == null) {
            return Optional.empty();
        }
        if (change.type() == Change.Type.DELETED) {
            objects.remove(key.name());
        } else {
            var tree = SimulationEnvironment.tree(change);
            objects.put(key.name(), tree);
            everSeen.add(uid(tree));
        }
        return unknownConsumers().or(this::podsWithoutClaims).or(this::overcommitted);
    }

    /// Reservations for pods that never existed.
    private Optional<String> unknownConsumers() {
        for (var claim : claims.entrySet()) {
            for (var user : users(claim.getValue())) {
                if (!everSeen.contains(user)) {
                    return Optional.of(
                            "claim %s is reserved for %s, which never existed"
                                    .formatted(claim.getKey(), user));
                }
            }
        }
        return Optional.empty();
    }

    /// Pods that are bound without their claims.
    private Optional<String> podsWithoutClaims() {
        for (var pod : pods.values()) {
            if (!isOnNode(pod)) {
                continue;
            }
            for (var name : claimNames(pod)) {
                var claim = claims.get(name);
                if (claim == null || !isAllocated(claim) || !users(claim).contains(uid(pod))) {
                    return Optional.of(
                            "pod %s is on %s, but its claim %s is %s"
                                    .formatted(
                                            name(pod),
                                            pod.objectOrEmpty("spec").text("nodeName"),
                                            name,
                                            claim == null ? "gone" : RequestText.claim(claim)));
                }
            }
        }
        return Optional.empty();
    }

    /// Devices that are allocated to more claims in use than they can serve.
    private Optional<String> overcommitted() {
        var inUse = claims.values().stream().filter(this::isInUse).toList();
        return overcommitted(inUse);
    }

    private boolean isInUse(JsonObject claim) {
        var users = users(claim);
        return isAllocated(claim)
                && pods.values().stream()
                        .anyMatch(pod -> isOnNode(pod) && users.contains(uid(pod)));
    }

    Optional<String> overcommitted(List<JsonObject> holders) {
        var holderOf = new HashMap<DeviceId, String>();
        var consumed = new HashMap<DeviceId, Map<String, Quantity>>();
        var drawn = new HashMap<PoolId, Map<String, Quantity>>();
        for (var claim : holders) {
            for (var result : results(claim)) {
                var id = id(result);
                var device = hardware.devices().get(id);
                if (device == null) {
                    return Optional.of("%s has %s, which never existed".formatted(name(claim), id));
                }
                var before = holderOf.put(id, name(claim));
                if (before != null && !device.isShareable()) {
                    return Optional.of("%s and %s have %s".formatted(before, name(claim), id));
                }
                var sums = consumed.computeIfAbsent(id, _ -> new HashMap<>());
                result.objectOrEmpty("consumedCapacity")
                        .names()
                        .forEach(name ->
                                sums.merge(
                                        name,
                                        Quantity.parse(
                                                result.objectOrEmpty("consumedCapacity")
                                                        .text(name)),
                                        Quantity::plus));
                for (var draw : device.consumesCounters()) {
                    var counters = drawn.computeIfAbsent(id.poolId(), _ -> new HashMap<>());
                    draw.counters()
                            .forEach((name, amount) ->
                                    counters.merge(
                                            draw.counterSet() + "/" + name,
                                            amount,
                                            Quantity::plus));
                }
            }
        }
        return exceededCapacity(consumed).or(() -> exceededCounters(drawn));
    }

    private Optional<String> exceededCapacity(Map<DeviceId, Map<String, Quantity>> consumed) {
        for (var entry : consumed.entrySet()) {
            var device = hardware.devices().get(entry.getKey());
            for (var sum : entry.getValue().entrySet()) {
                var capacity = device.capacity().get(sum.getKey());
                if (capacity == null || sum.getValue().compareTo(capacity.value()) > 0) {
                    return Optional.of(
                            "%s of %s of %s is consumed"
                                    .formatted(sum.getValue(), sum.getKey(), entry.getKey()));
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> exceededCounters(Map<PoolId, Map<String, Quantity>> drawn) {
        for (var entry : drawn.entrySet()) {
            for (var set : hardware.counters(entry.getKey())) {
                for (var counter : set.counters().entrySet()) {
                    var sum = entry.getValue().get(set.name() + "/" + counter.getKey());
                    if (sum != null && sum.compareTo(counter.getValue()) > 0) {
                        return Optional.of(
                                "%s of counter %s of %s is consumed"
                                        .formatted(sum, counter.getKey(), entry.getKey()));
                    }
                }
            }
        }
        return Optional.empty();
    }

    static boolean isOnNode(JsonObject pod) {
        return !pod.objectOrEmpty("spec").text("nodeName").isEmpty() && !isTerminated(pod);
    }

    static boolean isTerminated(JsonObject pod) {
        var phase = pod.objectOrEmpty("status").text("phase");
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    static boolean isAllocated(JsonObject claim) {
        return claim.objectOrEmpty("status").has("allocation");
    }

    static List<JsonObject> results(JsonObject claim) {
        return claim.objectOrEmpty("status")
                .objectOrEmpty("allocation")
                .objectOrEmpty("devices")
                .objects("results");
    }

    static Set<String> users(JsonObject claim) {
        var users = new HashSet<String>();
        claim.objectOrEmpty("status")
                .objects("reservedFor")
                .forEach(one -> users.add(one.text("uid")));
        return users;
    }

    /// The claims of a pod; a name that is not known yet is empty.
    static List<String> claimNames(JsonObject pod) {
        var names = new ArrayList<String>();
        var status = pod.objectOrEmpty("status");
        for (var entry : pod.objectOrEmpty("spec").objects("resourceClaims")) {
            names.add(
                    entry.string("resourceClaimName")
                            .orElseGet(() -> claimOfEntry(status, entry.text("name"))));
        }
        if (requestsExtendedResource(pod)) {
            names.add(
                    status.objectOrEmpty("extendedResourceClaimStatus").text("resourceClaimName"));
        }
        return names;
    }

    static boolean requestsExtendedResource(JsonObject pod) {
        return pod.objectOrEmpty("spec").objects("containers").stream()
                .map(one -> one.objectOrEmpty("resources").objectOrEmpty("limits"))
                .anyMatch(one -> one.has("example.com/gpu"));
    }

    private static String claimOfEntry(JsonObject status, String entry) {
        return status.objects("resourceClaimStatuses").stream()
                .filter(one -> one.text("name").equals(entry))
                .map(one -> one.text("resourceClaimName"))
                .findFirst()
                .orElse("");
    }

    private static DeviceId id(JsonObject result) {
        return new DeviceId(result.text("driver"), result.text("pool"), result.text("device"));
    }

    static String uid(JsonObject object) {
        return object.objectOrEmpty("metadata").text("uid");
    }

    static String name(JsonObject object) {
        return object.objectOrEmpty("metadata").text("name");
    }
}
