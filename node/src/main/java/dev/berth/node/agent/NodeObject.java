package dev.berth.node.agent;

import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Builds the Node and Lease objects of this machine.
///
/// @param port of the agent's endpoint; 0 for none
/// @param labels in addition to the standard ones
record NodeObject(
        String name,
        MachineFacts machine,
        String address,
        String runtime,
        int port,
        Map<String, String> labels,
        Map<String, String> annotations) {

    static final String LEASES = "kube-node-lease";

    private static final String VERSION = "v1.37.0-berth";
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    JsonObject node(Instant now) {
        return JsonObject.of("apiVersion", Json.of("v1"))
                .with("kind", Json.of("Node"))
                .with("metadata", JsonObject.of("name", Json.of(name)).with("labels", allLabels()))
                .with("spec", JsonObject.EMPTY)
                .with("status", status(JsonObject.EMPTY, "", now));
    }

    JsonObject allLabels() {
        var all = new TreeMap<>(labels);
        all.put("kubernetes.io/hostname", name);
        all.put("kubernetes.io/os", "linux");
        all.put("kubernetes.io/arch", machine.architecture());
        return texts(all);
    }

    JsonObject allAnnotations() {
        return texts(annotations);
    }

    private static JsonObject texts(Map<String, String> texts) {
        var members = new TreeMap<String, Json>();
        texts.forEach((key, value) -> members.put(key, Json.of(value)));
        return new JsonObject(members);
    }

    /// The Node's status; fields and conditions of other writers are kept.
    ///
    /// @param problem why the node is not ready; empty if it is
    JsonObject status(JsonObject before, String problem, Instant now) {
        var quantities = new TreeMap<String, Json>();
        machine.capacity().forEach((key, value) -> quantities.put(key, Json.of(value.toString())));
        var capacity = new JsonObject(quantities);
        var status =
                before.with("capacity", capacity)
                        .with("allocatable", capacity)
                        .with("conditions", Json.array(conditions(before, problem, now)))
                        .with(
                                "addresses",
                                Json.array(
                                        address("InternalIP", address), address("Hostname", name)))
                        .with("nodeInfo", nodeInfo())
                        .with("declaredFeatures", Json.array(Json.of("DRAOptionalNodeOperations")));
        return port == 0
                ? status
                : status.with(
                        "daemonEndpoints",
                        JsonObject.of("kubeletEndpoint", JsonObject.of("Port", Json.of(port))));
    }

    private static List<JsonObject> conditions(JsonObject before, String problem, Instant now) {
        var old = before.objects("conditions");
        var conditions = new ArrayList<JsonObject>();
        for (var kind : List.of("Memory", "Disk", "PID")) {
            conditions.add(
                    heartbeatCondition(
                            old,
                            kind + "Pressure",
                            "False",
                            "KubeletHas"
                                    + (kind.equals("Disk")
                                            ? "NoDiskPressure"
                                            : "Sufficient" + kind),
                            "not monitored by this agent",
                            now));
        }
        var isReady = problem.isEmpty();
        conditions.add(
                heartbeatCondition(
                        old,
                        "Ready",
                        isReady ? "True" : "False",
                        isReady ? "KubeletReady" : "KubeletNotReady",
                        isReady ? "the node agent accepts pods" : problem,
                        now));
        return ConditionTrees.withOthers(conditions, old);
    }

    private static JsonObject heartbeatCondition(
            List<JsonObject> old,
            String type,
            String state,
            String reason,
            String message,
            Instant now) {
        return ConditionTrees.update(old, type, state, reason, message, now)
                .with("lastHeartbeatTime", Json.of(now));
    }

    private JsonObject nodeInfo() {
        return JsonObject.of("architecture", Json.of(machine.architecture()))
                .with("operatingSystem", Json.of("linux"))
                .with("osImage", Json.of(machine.osImage()))
                .with("kernelVersion", Json.of(machine.kernel()))
                .with("containerRuntimeVersion", Json.of(runtime))
                .with("kubeletVersion", Json.of(VERSION))
                .with("kubeProxyVersion", Json.of(""))
                .with("machineID", Json.of(machine.machineId()))
                .with("systemUUID", Json.of(machine.systemId()))
                .with("bootID", Json.of(machine.bootId()));
    }

    private static JsonObject address(String type, String address) {
        return JsonObject.of("type", Json.of(type)).with("address", Json.of(address));
    }

    JsonObject lease(String uid, Duration length, Instant now) {
        var owner =
                JsonObject.of("apiVersion", Json.of("v1"))
                        .with("kind", Json.of("Node"))
                        .with("name", Json.of(name))
                        .with("uid", Json.of(uid));
        return JsonObject.of("apiVersion", Json.of("coordination.k8s.io/v1"))
                .with("kind", Json.of("Lease"))
                .with(
                        "metadata",
                        JsonObject.of("name", Json.of(name))
                                .with("namespace", Json.of(LEASES))
                                .with("ownerReferences", Json.array(owner)))
                .with("spec", leaseSpec(length, now));
    }

    JsonObject leaseSpec(Duration length, Instant now) {
        return JsonObject.of("holderIdentity", Json.of(name))
                .with("leaseDurationSeconds", Json.of(length.toSeconds()))
                .with("renewTime", Json.of(MICROS.format(now)));
    }
}
