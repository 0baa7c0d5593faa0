package dev.berth.client.event;

import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.model.event.CorrelatedEvent;
import dev.berth.model.event.EventSource;
import dev.berth.model.event.InvolvedObject;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.time.Rfc3339;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// Requests that create and patch event objects, in `core/v1` and `events.k8s.io/v1`.
final class EventObjects {

    private static final ResourcePath SERIES_EVENTS =
            new ResourcePath("events.k8s.io", "v1", "events");
    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private EventObjects() {}

    static Request create(CorrelatedEvent correlated) {
        return switch (correlated.event().source().api()) {
            case CORE ->
                    Request.Create.of(
                            ResourcePath.EVENTS, correlated.event().namespace(), core(correlated));
            case SERIES ->
                    Request.Create.of(
                            SERIES_EVENTS, correlated.event().namespace(), series(correlated));
        };
    }

    static Request patch(CorrelatedEvent correlated) {
        return switch (correlated.event().source().api()) {
            case CORE -> patch(correlated, ResourcePath.EVENTS, corePatch(correlated));
            case SERIES ->
                    patch(
                            correlated,
                            SERIES_EVENTS,
                            JsonObject.of("series", seriesFields(correlated)));
        };
    }

    private static Request patch(
            CorrelatedEvent correlated, ResourcePath address, JsonObject patch) {
        return new Request.Patch(
                address,
                correlated.event().namespace(),
                correlated.name(),
                "",
                Request.PatchType.MERGE,
                patch);
    }

    private static JsonObject corePatch(CorrelatedEvent correlated) {
        var patch =
                JsonObject.of("count", Json.of(correlated.count()))
                        .with("lastTimestamp", seconds(correlated.last()));
        return correlated.hasNewMessage()
                ? patch.with("message", Json.of(correlated.event().message()))
                : patch;
    }

    private static JsonObject core(CorrelatedEvent correlated) {
        var event = correlated.event();
        return head("v1", correlated)
                .with("involvedObject", reference(event.object()))
                .with("type", Json.of(event.type().text()))
                .with("reason", Json.of(event.reason()))
                .with("message", Json.of(event.message()))
                .with("source", source(event.source()))
                .with("reportingComponent", Json.of(event.source().component()))
                .with("reportingInstance", Json.of(event.source().host()))
                .with("firstTimestamp", seconds(correlated.first()))
                .with("lastTimestamp", seconds(correlated.last()))
                .with("count", Json.of(correlated.count()));
    }

    private static JsonObject source(EventSource source) {
        var tree = JsonObject.of("component", Json.of(source.component()));
        return source.host().isEmpty() ? tree : tree.with("host", Json.of(source.host()));
    }

    private static JsonObject series(CorrelatedEvent correlated) {
        var event = correlated.event();
        var tree =
                head("events.k8s.io/v1", correlated)
                        .with("regarding", reference(event.object()))
                        .with("type", Json.of(event.type().text()))
                        .with("reason", Json.of(event.reason()))
                        .with("action", Json.of(event.action()))
                        .with("note", Json.of(event.message()))
                        .with("reportingController", Json.of(event.source().component()))
                        .with("reportingInstance", Json.of(event.source().host()))
                        .with("eventTime", micros(correlated.first()));
        return correlated.count() > 1 ? tree.with("series", seriesFields(correlated)) : tree;
    }

    private static JsonObject seriesFields(CorrelatedEvent correlated) {
        return JsonObject.of("count", Json.of(correlated.count()))
                .with("lastObservedTime", micros(correlated.last()));
    }

    private static JsonObject head(String apiVersion, CorrelatedEvent correlated) {
        var metadata =
                JsonObject.of("name", Json.of(correlated.name()))
                        .with("namespace", Json.of(correlated.event().namespace()));
        return JsonObject.of("apiVersion", Json.of(apiVersion))
                .with("kind", Json.of("Event"))
                .with("metadata", metadata);
    }

    private static JsonObject reference(InvolvedObject object) {
        var tree =
                JsonObject.of("apiVersion", Json.of(object.apiVersion()))
                        .with("kind", Json.of(object.kind()))
                        .with("name", Json.of(object.name()))
                        .with("uid", Json.of(object.uid()));
        tree = withText(tree, "namespace", object.namespace());
        tree = withText(tree, "resourceVersion", object.resourceVersion());
        return withText(tree, "fieldPath", object.fieldPath());
    }

    private static JsonObject withText(JsonObject tree, String name, String text) {
        return text.isEmpty() ? tree : tree.with(name, Json.of(text));
    }

    private static Json seconds(Instant time) {
        return Json.of(Rfc3339.write(time));
    }

    private static Json micros(Instant time) {
        return Json.of(MICRO_TIME.format(time));
    }
}
