package dev.berth.drivers.sim;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The objects by which a simulated node shows itself.
final class NodeObjects {

    /// Marks nodes that are simulated, with the profile they are of.
    static final String PROFILE_LABEL = "sim.berth.dev/profile";

    /// The condition of a node whose label names no profile.
    static final String PROFILE_CONDITION = "SimulatedProfile";

    /// The taint of simulated nodes in a cluster with a real node.
    static final String SIMULATED_TAINT = "sim.berth.dev/simulated";

    static final String LEASE_NAMESPACE = "kube-node-lease";

    private static final String RUNTIME = "berth-sim://";
    private static final String ARCHITECTURE_LABEL = "kubernetes.io/arch";
    private static final JsonObject AVOIDED =
            JsonObject.of("key", Json.of(SIMULATED_TAINT))
                    .with("effect", Json.of("PreferNoSchedule"));
    private static final int LEASE_BEATS = 4;
    private static final int PER_BYTE = 256;
    private static final int FIRST_NETWORK = 16;
    private static final Pattern ADDRESS =
            Pattern.compile("172\\.([0-9]{2})\\.([0-9]{1,3})\\.([0-9]{1,3})");

    private NodeObjects() {}

    /// The profile that the label of a node names; empty for none.
    static String profile(JsonObject node) {
        return node.objectOrEmpty("metadata").objectOrEmpty("labels").text(PROFILE_LABEL);
    }

    /// True when the simulator has written the status of a node.
    static boolean wasSimulated(JsonObject node) {
        return node.objectOrEmpty("status")
                .objectOrEmpty("nodeInfo")
                .text("containerRuntimeVersion")
                .startsWith(RUNTIME);
    }

    static JsonObject node(SimulatedNodeSpec shape, int number, boolean isAvoided, Instant now) {
        return JsonObject.of("apiVersion", Json.of("v1"))
                .with("kind", Json.of("Node"))
                .with(
                        "metadata",
                        JsonObject.of("name", Json.of(shape.name())).with("labels", labels(shape)))
                .with(
                        "spec",
                        isAvoided ? JsonObject.of("taints", Json.array(AVOIDED)) : JsonObject.EMPTY)
                .with("status", status(shape, number, now));
    }

    /// The taints of a node with or without that of simulated nodes beside a real one.
    static List<JsonObject> taints(JsonObject node, boolean isAvoided) {
        var taints = new ArrayList<>(node.objectOrEmpty("spec").objects("taints"));
        var isThere = taints.stream().anyMatch(NodeObjects::isAvoidance);
        if (isAvoided && !isThere) {
            taints.add(AVOIDED);
        } else if (!isAvoided) {
            taints.removeIf(NodeObjects::isAvoidance);
        }
        return taints;
    }

    private static boolean isAvoidance(JsonObject taint) {
        return taint.text("key").equals(SIMULATED_TAINT);
    }

    /// True when a node says that its profile is unknown.
    static boolean isRejected(JsonObject node) {
        return rejection(node).isPresent();
    }

    /// The message of a node that says that its profile is unknown.
    static Optional<String> rejection(JsonObject node) {
        return node.objectOrEmpty("status").objects("conditions").stream()
                .filter(one -> one.text("type").equals(PROFILE_CONDITION))
                .filter(one -> one.text("status").equals("False"))
                .map(one -> one.text("message"))
                .findFirst();
    }

    static JsonObject labels(SimulatedNodeSpec shape) {
        var labels = new TreeMap<>(shape.labels());
        labels.put("kubernetes.io/hostname", shape.name());
        labels.put("kubernetes.io/os", "linux");
        labels.put(ARCHITECTURE_LABEL, architecture(shape));
        labels.put(PROFILE_LABEL, shape.profile());
        return SimulatedObjectFields.texts(labels);
    }

    private static String architecture(SimulatedNodeSpec shape) {
        return shape.labels().getOrDefault(ARCHITECTURE_LABEL, "amd64");
    }

    static JsonObject status(SimulatedNodeSpec shape, int number, Instant now) {
        var capacity = SimulatedObjectFields.texts(new TreeMap<>(shape.capacity()));
        return JsonObject.of("capacity", capacity)
                .with("allocatable", capacity)
                .with("conditions", Json.array(conditions(now)))
                .with(
                        "addresses",
                        Json.array(
                                address("InternalIP", hostAddress(number)),
                                address("Hostname", shape.name())))
                .with(
                        "nodeInfo",
                        JsonObject.of("architecture", Json.of(architecture(shape)))
                                .with("operatingSystem", Json.of("linux"))
                                .with("osImage", Json.of("simulated"))
                                .with("kernelVersion", Json.of("simulated"))
                                .with("containerRuntimeVersion", Json.of(RUNTIME + "0.1.0"))
                                .with("kubeletVersion", Json.of("v1.37.0"))
                                .with("kubeProxyVersion", Json.of(""))
                                .with("machineID", Json.of(shape.name()))
                                .with("systemUUID", Json.of(shape.name()))
                                .with("bootID", Json.of(shape.name())));
    }

    private static List<JsonObject> conditions(Instant now) {
        return List.of(
                beating("MemoryPressure", false, "KubeletHasSufficientMemory", now),
                beating("DiskPressure", false, "KubeletHasNoDiskPressure", now),
                beating("PIDPressure", false, "KubeletHasSufficientPID", now),
                beating("Ready", true, "KubeletReady", now));
    }

    private static JsonObject beating(String type, boolean isTrue, String reason, Instant now) {
        return SimulatedObjectFields.condition(type, isTrue, reason, "simulated", now)
                .with("lastHeartbeatTime", SimulatedObjectFields.time(now));
    }

    private static JsonObject address(String type, String address) {
        return JsonObject.of("type", Json.of(type)).with("address", Json.of(address));
    }

    /// The address of the node with a number, from 1; beyond 1,048,575 addresses repeat.
    static String hostAddress(int number) {
        return "172.%d.%d.%d"
                .formatted(
                        FIRST_NETWORK + number / (PER_BYTE * PER_BYTE) % 16,
                        number / PER_BYTE % PER_BYTE,
                        number % PER_BYTE);
    }

    /// The number that belongs to the address of a node; 0 when it is no address of the simulator.
    static int number(JsonObject node) {
        for (var address : node.objectOrEmpty("status").objects("addresses")) {
            var parts = ADDRESS.matcher(address.text("address"));
            if (address.text("type").equals("InternalIP") && parts.matches()) {
                var high = Integer.parseInt(parts.group(1)) - FIRST_NETWORK;
                var number =
                        (high * PER_BYTE + Integer.parseInt(parts.group(2))) * PER_BYTE
                                + Integer.parseInt(parts.group(3));
                return hostAddress(number).equals(address.text("address")) ? number : 0;
            }
        }
        return 0;
    }

    static String podAddress(int node, int pod) {
        return "10.%d.%d.%d"
                .formatted(node / PER_BYTE % PER_BYTE, node % PER_BYTE, 2 + pod % (PER_BYTE - 4));
    }

    /// True when nothing of a node's object needs to be written.
    static boolean isTrue(JsonObject node, SimulatedNodeSpec shape, boolean isAvoided) {
        var labels = node.objectOrEmpty("metadata").objectOrEmpty("labels");
        var status = node.objectOrEmpty("status");
        return labels.members().entrySet().containsAll(labels(shape).members().entrySet())
                && status.objectOrEmpty("capacity")
                        .members()
                        .keySet()
                        .containsAll(shape.capacity().keySet())
                && isReady(status)
                && !isRejected(node)
                && taints(node, isAvoided).equals(node.objectOrEmpty("spec").objects("taints"));
    }

    private static boolean isReady(JsonObject status) {
        return status.objects("conditions").stream()
                .anyMatch(one ->
                        one.text("type").equals("Ready") && one.text("status").equals("True"));
    }

    static JsonObject lease(String node, String uid, Duration heartbeat, Instant now) {
        var owner =
                JsonObject.of("apiVersion", Json.of("v1"))
                        .with("kind", Json.of("Node"))
                        .with("name", Json.of(node))
                        .with("uid", Json.of(uid));
        return JsonObject.of("apiVersion", Json.of("coordination.k8s.io/v1"))
                .with("kind", Json.of("Lease"))
                .with(
                        "metadata",
                        JsonObject.of("name", Json.of(node))
                                .with("namespace", Json.of(LEASE_NAMESPACE))
                                .with("ownerReferences", Json.array(owner)))
                .with("spec", leaseSpec(node, heartbeat, now));
    }

    static JsonObject leaseSpec(String node, Duration heartbeat, Instant now) {
        return JsonObject.of("holderIdentity", Json.of(node))
                .with(
                        "leaseDurationSeconds",
                        Json.of(Math.max(1, heartbeat.multipliedBy(LEASE_BEATS).toSeconds())))
                .with("renewTime", SimulatedObjectFields.microTime(now));
    }
}
