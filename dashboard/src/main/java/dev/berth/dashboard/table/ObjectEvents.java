package dev.berth.dashboard.table;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// Events about objects, read from the cluster when they are asked for.
public final class ObjectEvents {

    /// Limit of events in an answer; the newest are kept.
    private static final int MAX_EVENTS = 200;

    private static final String CLUSTER_SCOPED = "default";

    private final Cluster cluster;

    public ObjectEvents(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Events about objects of a namespace, the newest first. None when the user may not read them.
    ///
    /// @param objects as `Kind/name`
    public List<JsonObject> of(String namespace, Set<String> objects) {
        var inNamespace = namespace.isEmpty() ? CLUSTER_SCOPED : namespace;
        if (!(cluster.send(new Request.Get(ResourcePath.EVENTS, inNamespace, ""))
                instanceof RequestResult.Done(var list))) {
            return List.of();
        }
        return list.objects("items").stream()
                .filter(event -> objects.contains(subject(event)))
                .map(ObjectEvents::json)
                .sorted(
                        Comparator.comparing((JsonObject event) -> event.text("time")).reversed())
                .limit(MAX_EVENTS)
                .toList();
    }

    private static String subject(JsonObject event) {
        var about = event.objectOrEmpty("involvedObject");
        return about.text("kind") + "/" + about.text("name");
    }

    private static JsonObject json(JsonObject event) {
        var reporter = event.text("reportingComponent");
        return JsonObject.of("time", Json.of(time(event)))
                .with("type", Json.of(event.text("type")))
                .with("reason", Json.of(event.text("reason")))
                .with("message", Json.of(event.text("message")))
                .with(
                        "source",
                        Json.of(
                                reporter.isEmpty()
                                        ? event.objectOrEmpty("source").text("component")
                                        : reporter))
                .with("object", Json.of(subject(event)))
                .with("count", Json.of(event.number("count").orElse(1)));
    }

    private static String time(JsonObject event) {
        for (var time :
                List.of(
                        event.objectOrEmpty("series").text("lastObservedTime"),
                        event.text("lastTimestamp"),
                        event.text("eventTime"),
                        event.objectOrEmpty("metadata").text("creationTimestamp"))) {
            if (!time.isEmpty()) {
                return time;
            }
        }
        return "";
    }
}
