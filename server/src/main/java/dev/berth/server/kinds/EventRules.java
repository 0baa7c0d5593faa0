package dev.berth.server.kinds;

import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.Strategy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Events, which two groups serve with different names for the same fields. Stored with the names
/// of the core group.
final class EventRules {

    /// Field names of events.k8s.io by those of the core group.
    private static final Map<String, String> NEW_NAMES =
            Map.of(
                    "involvedObject", "regarding",
                    "message", "note",
                    "reportingComponent", "reportingController",
                    "source", "deprecatedSource",
                    "firstTimestamp", "deprecatedFirstTimestamp",
                    "lastTimestamp", "deprecatedLastTimestamp",
                    "count", "deprecatedCount");

    private static final List<String> OBJECT_FIELDS =
            List.of(
                    "kind",
                    "namespace",
                    "name",
                    "uid",
                    "apiVersion",
                    "resourceVersion",
                    "fieldPath");
    private static final int NOTE_MAX = 1024;
    private static final int REASON_MAX = 128;

    private EventRules() {}

    /// Conversion of events.k8s.io to the field names of the core group.
    static Resource.Conversion conversion() {
        var oldNames = new LinkedHashMap<String, String>();
        NEW_NAMES.forEach((old, renamed) -> oldNames.put(renamed, old));
        return new Resource.Conversion() {
            @Override
            public JsonObject toInternal(String version, JsonObject object) {
                return renamed(object, oldNames);
            }

            @Override
            public JsonObject fromInternal(String version, JsonObject object) {
                return renamed(object, NEW_NAMES);
            }
        };
    }

    private static JsonObject renamed(JsonObject event, Map<String, String> names) {
        var members = new LinkedHashMap<String, Json>();
        event.members()
                .forEach((name, value) -> members.put(names.getOrDefault(name, name), value));
        return new JsonObject(members);
    }

    /// Field selectors of core events.
    static Map<String, Function<JsonObject, String>> selectable() {
        var fields = new LinkedHashMap<String, Function<JsonObject, String>>();
        for (var name : OBJECT_FIELDS) {
            fields.put("involvedObject." + name, e -> e.objectOrEmpty("involvedObject").text(name));
        }
        fields.put("reason", e -> e.text("reason"));
        fields.put("reportingComponent", e -> e.text("reportingComponent"));
        fields.put("source", EventRules::source);
        fields.put("type", e -> e.text("type"));
        return fields;
    }

    private static String source(JsonObject event) {
        var component = event.objectOrEmpty("source").text("component");
        return component.isEmpty() ? event.text("reportingComponent") : component;
    }

    /// Field selectors of events.k8s.io.
    static Map<String, Function<JsonObject, String>> selectableByNewNames() {
        var fields = new LinkedHashMap<String, Function<JsonObject, String>>();
        for (var name : OBJECT_FIELDS) {
            fields.put("regarding." + name, e -> e.objectOrEmpty("involvedObject").text(name));
        }
        fields.put("reason", e -> e.text("reason"));
        fields.put("reportingController", e -> e.text("reportingComponent"));
        fields.put("type", e -> e.text("type"));
        return fields;
    }

    static Strategy strategy() {
        return ComposedStrategy.namespaced().checks(EventRules::check);
    }

    /// Validation of events.k8s.io, which is stricter: reporter, action and time are required.
    static Strategy strictStrategy() {
        return ComposedStrategy.namespaced()
                .checks(EventRules::check)
                .checksNew((event, checks) -> {
                    for (var name :
                            List.of(
                                    "reportingComponent",
                                    "reportingInstance",
                                    "action",
                                    "reason")) {
                        if (event.text(name).isEmpty()) {
                            checks.required(FieldPath.of(NEW_NAMES.getOrDefault(name, name)), "");
                        }
                    }
                    if (event.text("eventTime").isEmpty()) {
                        checks.required(FieldPath.of("eventTime"), "");
                    }
                    checks.oneOf(event, "type", FieldPath.ROOT, List.of("Normal", "Warning"));
                    if (GoText.bytes(event.text("reason")) > REASON_MAX) {
                        checks.invalid(
                                FieldPath.of("reason"),
                                "",
                                "can have at most %d characters".formatted(REASON_MAX));
                    }
                    if (GoText.bytes(event.text("message")) > NOTE_MAX) {
                        checks.invalid(
                                FieldPath.of("note"),
                                "",
                                "can have at most %d characters".formatted(NOTE_MAX));
                    }
                });
    }

    private static void check(JsonObject event, ObjectChecks checks) {
        var namespace = event.objectOrEmpty("metadata").text("namespace");
        var about = event.objectOrEmpty("involvedObject").text("namespace");
        var path = FieldPath.of("involvedObject", "namespace");
        if (about.isEmpty()) {
            if (!List.of("default", "kube-system").contains(namespace)) {
                checks.invalid(path, about, "does not match event.namespace");
            }
        } else if (!about.equals(namespace)) {
            checks.invalid(path, about, "does not match event.namespace");
        }
        event.object("series")
                .ifPresent(series -> {
                    if (series.number("count").orElse(0) < 2) {
                        checks.invalid(FieldPath.of("series", "count"), "", "should be at least 2");
                    }
                });
    }
}
