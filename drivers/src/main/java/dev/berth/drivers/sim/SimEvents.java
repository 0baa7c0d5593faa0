package dev.berth.drivers.sim;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

/// Writes Warning events of the simulator. The name of an event follows from the object, the reason
/// and the message, so each is written once, also after a restart.
final class SimEvents {

    private static final String COMPONENT = "berth-sim";
    private static final int MAX_OBJECT_NAME = 200;

    private final Cluster cluster;

    SimEvents(Cluster cluster) {
        this.cluster = cluster;
    }

    /// @param kind of the object, which must be of the API version `v1`
    RequestResult warn(String kind, JsonObject about, String reason, String message, Instant now) {
        var metadata = about.objectOrEmpty("metadata");
        var key = metadata.text("uid") + "/" + reason + "/" + message;
        var id = UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)).toString();
        var name = metadata.text("name");
        var head = name.substring(0, Math.min(name.length(), MAX_OBJECT_NAME));
        var namespace = metadata.string("namespace").orElse("default");
        var subject =
                JsonObject.of("apiVersion", Json.of("v1"))
                        .with("kind", Json.of(kind))
                        .with("name", Json.of(name))
                        .with("uid", Json.of(metadata.text("uid")));
        if (metadata.has("namespace")) {
            subject = subject.with("namespace", Json.of(namespace));
        }
        var event =
                JsonObject.of("apiVersion", Json.of("v1"))
                        .with("kind", Json.of("Event"))
                        .with(
                                "metadata",
                                JsonObject.of("name", Json.of(head + "." + id.substring(0, 16)))
                                        .with("namespace", Json.of(namespace)))
                        .with("involvedObject", subject)
                        .with("type", Json.of("Warning"))
                        .with("reason", Json.of(reason))
                        .with("message", Json.of(message))
                        .with("source", JsonObject.of("component", Json.of(COMPONENT)))
                        .with("reportingComponent", Json.of(COMPONENT))
                        .with("reportingInstance", Json.of(COMPONENT))
                        .with("firstTimestamp", Json.of(now))
                        .with("lastTimestamp", Json.of(now))
                        .with("count", Json.of(1));
        return cluster.send(Request.Create.of(ResourcePath.EVENTS, namespace, event));
    }
}
