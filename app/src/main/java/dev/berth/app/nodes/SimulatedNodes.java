package dev.berth.app.nodes;

import dev.berth.app.cluster.LiveObjects;
import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;

/// Node objects of simulated nodes.
final class SimulatedNodes {

    static final ResourcePath NODES = ResourcePath.of(Kinds.NODE);

    /// The label that marks a node as simulated; its value is the profile.
    static final String PROFILE_LABEL = "sim.berth.dev/profile";

    /// The condition of nodes whose profile is unknown.
    static final String PROFILE_CONDITION = "SimulatedProfile";

    private SimulatedNodes() {}

    /// All nodes of a cluster.
    ///
    /// @throws IllegalStateException when they cannot be read
    static List<JsonObject> all(Cluster cluster) {
        return new LiveObjects(cluster).trees(NODES, false).orThrow(IllegalStateException::new);
    }

    static JsonObject fresh(String name, String profile) {
        return JsonObject.of("apiVersion", Json.of("v1"))
                .with("kind", Json.of("Node"))
                .with(
                        "metadata",
                        JsonObject.of("name", Json.of(name))
                                .with("labels", JsonObject.of(PROFILE_LABEL, Json.of(profile))));
    }

    static String name(JsonObject node) {
        return node.objectOrEmpty("metadata").text("name");
    }

    static String profile(JsonObject node) {
        return node.objectOrEmpty("metadata").objectOrEmpty("labels").text(PROFILE_LABEL);
    }

    /// The message of a condition with a status; empty when there is none.
    static String message(JsonObject node, String type, String status) {
        return condition(node, type, status).text("message");
    }

    static boolean isReady(JsonObject node) {
        return !condition(node, "Ready", "True").isEmpty();
    }

    private static JsonObject condition(JsonObject node, String type, String status) {
        return node.objectOrEmpty("status").objects("conditions").stream()
                .filter(one -> one.text("type").equals(type) && one.text("status").equals(status))
                .findFirst()
                .orElse(JsonObject.EMPTY);
    }

    /// The state of a node as kubectl shows it.
    static String state(JsonObject node) {
        var isCordoned = node.objectOrEmpty("spec").flag("unschedulable").orElse(false);
        var ready = isReady(node) ? "Ready" : "NotReady";
        if (!message(node, PROFILE_CONDITION, "False").isEmpty()) {
            ready = "UnknownProfile";
        }
        return isCordoned ? ready + ",SchedulingDisabled" : ready;
    }
}
