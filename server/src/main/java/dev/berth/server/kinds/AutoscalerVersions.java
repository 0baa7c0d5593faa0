package dev.berth.server.kinds;

import dev.berth.core.admission.field.TreeEdits;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.registry.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Conversion of HorizontalPodAutoscalers between autoscaling/v1 and v2. Fields that v1 lacks are
/// kept in annotations of the object, with the names and formats of Kubernetes.
final class AutoscalerVersions implements Resource.Conversion {

    private static final String PREFIX = "autoscaling.alpha.kubernetes.io/";
    private static final String METRICS = PREFIX + "metrics";
    private static final String CURRENT_METRICS = PREFIX + "current-metrics";
    private static final String CONDITIONS = PREFIX + "conditions";
    private static final String BEHAVIOR = PREFIX + "behavior";
    private static final String RESOURCE = "resource";

    /// A field of a metric in both versions. The v2 path is relative to the metric's source.
    private record Names(String v1, List<String> v2) {

        static Names of(String v1, String... v2) {
            return new Names(v1, List.of(v2));
        }

        /// The object of the source that has the field in v2.
        JsonObject holder(JsonObject source) {
            return v2.size() == 1 ? source : source.objectOrEmpty(v2.getFirst());
        }

        JsonObject set(JsonObject source, Json value) {
            return v2.size() == 1
                    ? source.with(v2.getFirst(), value)
                    : source.with(v2.getFirst(), holder(source).with(v2.getLast(), value));
        }
    }

    /// The part of a metric to convert: target or current value.
    private enum Side {
        TARGET("target"),
        CURRENT("current");

        private final String word;

        Side(String word) {
            this.word = word;
        }

        /// `targetAverageValue` or `currentAverageValue`.
        String v1(String name) {
            return word + name;
        }
    }

    /// A metric of CPU utilization, in v2.
    static JsonObject cpu(long percent) {
        return cpu("target", percent, true);
    }

    private static JsonObject cpu(String member, long percent, boolean typed) {
        var value = JsonObject.of("averageUtilization", Json.of(percent));
        return JsonObject.of("type", Json.of("Resource"))
                .with(
                        RESOURCE,
                        JsonObject.of("name", Json.of("cpu"))
                                .with(
                                        member,
                                        typed
                                                ? value.with("type", Json.of("Utilization"))
                                                : value));
    }

    @Override
    public JsonObject toInternal(String version, JsonObject object) {
        return version.equals("v1") ? toV2(object) : object;
    }

    @Override
    public JsonObject fromInternal(String version, JsonObject object) {
        return version.equals("v1") ? toV1(object) : object;
    }

    private static JsonObject toV2(JsonObject object) {
        var metrics = new ArrayList<>(annotatedMetrics(object, METRICS, Side.TARGET));
        var current = new ArrayList<>(annotatedMetrics(object, CURRENT_METRICS, Side.CURRENT));
        var spec = object.objectOrEmpty("spec");
        var status = object.objectOrEmpty("status");
        spec.number("targetCPUUtilizationPercentage").ifPresent(n -> metrics.add(cpu(n)));
        status.number("currentCPUUtilizationPercentage")
                .ifPresent(n -> current.add(cpu("current", n, false)));
        var v2Spec = with(spec.without("targetCPUUtilizationPercentage"), "metrics", metrics);
        var v2Status =
                with(status.without("currentCPUUtilizationPercentage"), "currentMetrics", current);
        var behavior = annotated(object, BEHAVIOR);
        if (behavior.isPresent()) {
            v2Spec = v2Spec.with("behavior", behavior.get());
        }
        var conditions = annotated(object, CONDITIONS);
        if (conditions.isPresent()) {
            v2Status = v2Status.with("conditions", conditions.get());
        }
        var converted = withoutAnnotations(object);
        converted = object.has("spec") ? converted.with("spec", v2Spec) : converted;
        return v2Status.isEmpty() ? converted : converted.with("status", v2Status);
    }

    private static JsonObject toV1(JsonObject object) {
        var spec = object.objectOrEmpty("spec");
        var status = object.objectOrEmpty("status");
        var v1Spec = TreeEdits.without(spec, List.of("metrics", "behavior"));
        var v1Status = TreeEdits.without(status, List.of("currentMetrics", "conditions"));
        var more = new ArrayList<Json>();
        for (var metric : spec.objects("metrics")) {
            var percent = cpuPercent(metric, "target");
            if (percent.isPresent() && !v1Spec.has("targetCPUUtilizationPercentage")) {
                v1Spec = v1Spec.with("targetCPUUtilizationPercentage", Json.of(percent.get()));
            } else {
                more.add(metricToV1(metric, Side.TARGET));
            }
        }
        var moreCurrent = new ArrayList<Json>();
        for (var metric : status.objects("currentMetrics")) {
            var percent = cpuPercent(metric, "current");
            if (percent.isPresent() && !v1Status.has("currentCPUUtilizationPercentage")) {
                v1Status = v1Status.with("currentCPUUtilizationPercentage", Json.of(percent.get()));
            } else {
                moreCurrent.add(metricToV1(metric, Side.CURRENT));
            }
        }
        var converted = object.with("spec", v1Spec);
        if (object.has("status")) {
            var status1 = DefaultsFiller.of(v1Status).number("currentReplicas", 0).done();
            converted = converted.with("status", status1);
        }
        converted = annotate(converted, METRICS, Json.array(more));
        converted = annotate(converted, CURRENT_METRICS, Json.array(moreCurrent));
        converted = annotate(converted, BEHAVIOR, spec.member("behavior").orElse(JsonArray.EMPTY));
        return annotate(converted, CONDITIONS, status.member("conditions").orElse(JsonArray.EMPTY));
    }

    private static JsonObject with(JsonObject holder, String name, List<JsonObject> items) {
        return items.isEmpty() ? holder : holder.with(name, Json.array(items));
    }

    private static Optional<Long> cpuPercent(JsonObject metric, String member) {
        var resource = metric.objectOrEmpty(RESOURCE);
        var percent = resource.objectOrEmpty(member).number("averageUtilization");
        return resource.text("name").equals("cpu") && percent.isPresent()
                ? Optional.of(percent.getAsLong())
                : Optional.empty();
    }

    private static JsonObject annotate(JsonObject object, String name, Json value) {
        if (value instanceof JsonArray array && array.items().isEmpty()) {
            return object;
        }
        return DefaultsFiller.metadata(
                object,
                metadata ->
                        metadata.with(
                                "annotations",
                                metadata.objectOrEmpty("annotations")
                                        .with(name, Json.of(JsonWriter.compact(value)))));
    }

    private static JsonObject withoutAnnotations(JsonObject object) {
        var annotations = object.objectOrEmpty("metadata").objectOrEmpty("annotations");
        var kept =
                TreeEdits.without(
                        annotations, List.of(METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR));
        if (kept.members().size() == annotations.members().size()) {
            return object;
        }
        return DefaultsFiller.metadata(
                object,
                metadata ->
                        kept.isEmpty()
                                ? metadata.without("annotations")
                                : metadata.with("annotations", kept));
    }

    /// The JSON in an annotation. Malformed JSON is dropped, as in Kubernetes.
    private static Optional<Json> annotated(JsonObject object, String name) {
        var text = object.objectOrEmpty("metadata").objectOrEmpty("annotations").text(name);
        if (!text.isEmpty()
                && JsonReader.read(text) instanceof ParseResult.Documents(var documents)) {
            return documents.stream().map(one -> one.root()).findFirst();
        }
        return Optional.empty();
    }

    private static List<JsonObject> annotatedMetrics(JsonObject object, String name, Side side) {
        if (!(annotated(object, name).orElse(JsonArray.EMPTY) instanceof JsonArray array)) {
            return List.of();
        }
        return array.items().stream()
                .filter(JsonObject.class::isInstance)
                .map(one -> metricToV2((JsonObject) one, side))
                .toList();
    }

    private static String member(JsonObject metric) {
        var type = metric.text("type");
        return type.isEmpty()
                ? ""
                : type.substring(0, 1).toLowerCase(Locale.ROOT) + type.substring(1);
    }

    private static List<Names> names(String member, Side side) {
        var value = side.word;
        var average = Names.of(side.v1("AverageValue"), value, "averageValue");
        var name = Names.of("metricName", "metric", "name");
        var selector = Names.of("selector", "metric", "selector");
        return switch (member) {
            case RESOURCE, "containerResource" ->
                    List.of(
                            Names.of("name", "name"),
                            Names.of("container", "container"),
                            Names.of(side.v1("AverageUtilization"), value, "averageUtilization"),
                            average);
            case "pods" -> List.of(name, selector, average);
            case "object" ->
                    List.of(
                            Names.of("target", "describedObject"),
                            name,
                            selector,
                            Names.of(side.v1("Value"), value, "value"),
                            Names.of("averageValue", value, "averageValue"));
            case "external" ->
                    List.of(
                            name,
                            Names.of("metricSelector", "metric", "selector"),
                            Names.of(side.v1("Value"), value, "value"),
                            average);
            default -> List.of();
        };
    }

    private static JsonObject metricToV1(JsonObject metric, Side side) {
        var member = member(metric);
        var source = metric.objectOrEmpty(member);
        var v1 = JsonObject.EMPTY;
        for (var one : names(member, side)) {
            var value = one.holder(source).member(one.v2.getLast());
            if (value.isPresent()) {
                v1 = v1.with(one.v1, value.get());
            }
        }
        return JsonObject.of("type", Json.of(metric.text("type"))).with(member, v1);
    }

    private static JsonObject metricToV2(JsonObject metric, Side side) {
        var member = member(metric);
        var v1 = metric.objectOrEmpty(member);
        var source = JsonObject.EMPTY;
        for (var one : names(member, side)) {
            var value = v1.member(one.v1);
            if (value.isPresent()) {
                source = one.set(source, value.get());
            }
        }
        if (side == Side.TARGET) {
            var target = source.objectOrEmpty("target");
            source = source.with("target", target.with("type", Json.of(targetType(target))));
        }
        return JsonObject.of("type", Json.of(metric.text("type"))).with(member, source);
    }

    private static String targetType(JsonObject target) {
        return target.has("averageUtilization")
                ? "Utilization"
                : target.has("averageValue") ? "AverageValue" : "Value";
    }
}
