package dev.berth.drivers.sim;

import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Builds the Node and Lease objects of a simulated node.
final class NodeObjects {

    /// Label of simulated nodes with the name of their profile.
    static final String PROFILE_LABEL = "sim.berth.dev/profile";

    /// Condition of a node whose label names an unknown profile.
    static final String PROFILE_CONDITION = "SimulatedProfile";

    /// Taint of simulated nodes in a cluster with a real node.
    static final String SIMULATED_TAINT = "sim.berth.dev/simulated";

    static final String LEASE_NAMESPACE = "kube-node-lease";

    private static final String RUNTIME = "berth-sim://";
    private static final String ARCHITECTURE_LABEL = "kubernetes.io/arch";
    private static final JsonObject PREFER_NO_SCHEDULE =
            JsonObject.of("key", Json.of(SIMULATED_TAINT))
                    .with("effect", Json.of("PreferNoSchedule"));
    private static final int LEASE_HEARTBEATS = 4;
    private static final int PER_BYTE = 256;
    private static final int FIRST_NETWORK = 16;
    private static final Pattern ADDRESS =
            Pattern.compile("172\\.([0-9]{2})\\.([0-9]{1,3})\\.([0-9]{1,3})");

    private NodeObjects() {}

    /// The profile in the label of a node; empty without the label.
    static String profile(JsonObject node) {
        return node.objectOrEmpty("metadata").objectOrEmpty("labels").text(PROFILE_LABEL);
    }

    /// Whether the simulator has written the status of a node.
    static boolean wasSimulated(JsonObject node) {
        return node.objectOrEmpty("status")
                .objectOrEmpty("nodeInfo")
                .text("containerRuntimeVersion")
                .startsWith(RUNTIME);
    }

    static JsonObject node(
            SimulatedNodeSpec nodeSpec, int number, boolean preferNoSchedule, Instant now) {
        return JsonObject.of("apiVersion", Json.of("v1"))
                .with("kind", Json.of("Node"))
                .with(
                        "metadata",
                        JsonObject.of("name", Json.of(nodeSpec.name()))
                                .with("labels", labels(nodeSpec)))
                .with(
                        "spec",
                        preferNoSchedule
                                ? JsonObject.of("taints", Json.array(PREFER_NO_SCHEDULE))
                                : JsonObject.EMPTY)
                .with("status", status(nodeSpec, number, now));
    }

    /// The taints of a node, with the taint of simulated nodes added or removed.
    static List<JsonObject> taints(JsonObject node, boolean preferNoSchedule) {
        var taints = new ArrayList<>(node.objectOrEmpty("spec").objects("taints"));
        var isPresent = taints.stream().anyMatch(NodeObjects::isSimulatedTaint);
        if (preferNoSchedule && !isPresent) {
            taints.add(PREFER_NO_SCHEDULE);
        } else if (!preferNoSchedule) {
            taints.removeIf(NodeObjects::isSimulatedTaint);
        }
        return taints;
    }

    private static boolean isSimulatedTaint(JsonObject taint) {
        return taint.text("key").equals(SIMULATED_TAINT);
    }

    /// Whether a node has the condition of an unknown profile.
    static boolean isRejected(JsonObject node) {
        return rejection(node).isPresent();
    }

    /// The message of the condition of an unknown profile.
    static Optional<String> rejection(JsonObject node) {
        return node.objectOrEmpty("status").objects("conditions").stream()
                .filter(one -> one.text("type").equals(PROFILE_CONDITION))
                .filter(one -> one.text("status").equals("False"))
                .map(one -> one.text("message"))
                .findFirst();
    }

    static JsonObject labels(SimulatedNodeSpec nodeSpec) {
        var labels = new TreeMap<>(nodeSpec.labels());
        labels.put("kubernetes.io/hostname", nodeSpec.name());
        labels.put("kubernetes.io/os", "linux");
        labels.put(ARCHITECTURE_LABEL, architecture(nodeSpec));
        labels.put(PROFILE_LABEL, nodeSpec.profile());
        return ObjectFieldBuilders.texts(labels);
    }

    private static String architecture(SimulatedNodeSpec nodeSpec) {
        return nodeSpec.labels().getOrDefault(ARCHITECTURE_LABEL, "amd64");
    }

    static JsonObject status(SimulatedNodeSpec nodeSpec, int number, Instant now) {
        var capacity = ObjectFieldBuilders.texts(new TreeMap<>(nodeSpec.capacity()));
        return JsonObject.of("capacity", capacity)
                .with("allocatable", capacity)
                .with("conditions", Json.array(conditions(now)))
                .with(
                        "addresses",
                        Json.array(
                                address("InternalIP", hostAddress(number)),
                                address("Hostname", nodeSpec.name())))
                .with(
                        "nodeInfo",
                        JsonObject.of("architecture", Json.of(architecture(nodeSpec)))
                                .with("operatingSystem", Json.of("linux"))
                                .with("osImage", Json.of("simulated"))
                                .with("kernelVersion", Json.of("simulated"))
                                .with("containerRuntimeVersion", Json.of(RUNTIME + "0.1.0"))
                                .with("kubeletVersion", Json.of("v1.37.0"))
                                .with("kubeProxyVersion", Json.of(""))
                                .with("machineID", Json.of(nodeSpec.name()))
                                .with("systemUUID", Json.of(nodeSpec.name()))
                                .with("bootID", Json.of(nodeSpec.name())));
    }

    private static List<JsonObject> conditions(Instant now) {
        return List.of(
                heartbeatCondition("MemoryPressure", false, "KubeletHasSufficientMemory", now),
                heartbeatCondition("DiskPressure", false, "KubeletHasNoDiskPressure", now),
                heartbeatCondition("PIDPressure", false, "KubeletHasSufficientPID", now),
                heartbeatCondition("Ready", true, "KubeletReady", now));
    }

    private static JsonObject heartbeatCondition(
            String type, boolean isUpToDate, String reason, Instant now) {
        return ConditionTrees.of(type, isUpToDate, reason, "simulated", now)
                .with("lastHeartbeatTime", Json.of(now));
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

    /// The number of a node, from its address; 0 for addresses that the simulator did not assign.
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

    /// Whether labels, taints and status of a Node object are up to date.
    static boolean isUpToDate(
            JsonObject node, SimulatedNodeSpec nodeSpec, boolean preferNoSchedule) {
        var labels = node.objectOrEmpty("metadata").objectOrEmpty("labels");
        var status = node.objectOrEmpty("status");
        return labels.members().entrySet().containsAll(labels(nodeSpec).members().entrySet())
                && status.objectOrEmpty("capacity")
                        .members()
                        .keySet()
                        .containsAll(nodeSpec.capacity().keySet())
                && isReady(status)
                && !isRejected(node)
                && taints(node, preferNoSchedule)
                        .equals(node.objectOrEmpty("spec").objects("taints"));
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
                        Json.of(Math.max(1, heartbeat.multipliedBy(LEASE_HEARTBEATS).toSeconds())))
                .with("renewTime", ObjectFieldBuilders.microTime(now));
    }
}
