package dev.berth.server.kinds;

import static dev.berth.server.kinds.column.Columns.at;
import static dev.berth.server.kinds.column.Columns.numberAt;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.column.Columns;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.TableColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// HorizontalPodAutoscalers: stored as autoscaling/v2, served as v1, too.
final class Autoscalers {

    private static final String SPEC = "spec";
    private static final String STATUS = "status";
    private static final String METRICS = "metrics";
    private static final String UNKNOWN = "<unknown>";
    private static final int SHOWN_METRICS = 2;
    private static final int DEFAULT_UTILIZATION = 80;
    private static final int PERIOD_SECONDS = 15;

    private Autoscalers() {}

    static ComposedStrategy rules(ComposedStrategy strategy) {
        return strategy.defaults(object -> DefaultsFiller.spec(object, Autoscalers::filled))
                .checks((object, checks) -> {
                    var spec = object.objectOrEmpty(SPEC);
                    var max = spec.number("maxReplicas").orElse(0);
                    if (max >= 1 && max < spec.number("minReplicas").orElse(1)) {
                        checks.invalid(
                                ObjectChecks.SPEC.child("maxReplicas"),
                                Json.of(max),
                                "must be greater than or equal to `minReplicas`");
                    }
                });
    }

    /// Defaults: without metrics a target scales by CPU; scaling behavior gets limits if it is set.
    private static JsonObject filled(JsonObject spec) {
        var metrics = spec.items(METRICS).isEmpty();
        return DefaultsFiller.of(spec)
                .when(
                        metrics,
                        one ->
                                one.with(
                                        METRICS,
                                        Json.array(AutoscalerVersions.cpu(DEFAULT_UTILIZATION))))
                .in(
                        "behavior",
                        behavior ->
                                DefaultsFiller.of(behavior)
                                        .into("scaleUp", Autoscalers::scaleUp)
                                        .into("scaleDown", Autoscalers::scaleDown)
                                        .done())
                .done();
    }

    private static JsonObject scaleUp(JsonObject rules) {
        return DefaultsFiller.of(rules)
                .number("stabilizationWindowSeconds", 0)
                .text("selectPolicy", "Max")
                .json("policies", Json.array(policy("Pods", 4), policy("Percent", 100)))
                .done();
    }

    private static JsonObject scaleDown(JsonObject rules) {
        return DefaultsFiller.of(rules)
                .text("selectPolicy", "Max")
                .json("policies", Json.array(policy("Percent", 100)))
                .done();
    }

    private static Json policy(String type, int value) {
        return JsonObject.of("type", Json.of(type))
                .with("value", Json.of(value))
                .with("periodSeconds", Json.of(PERIOD_SECONDS));
    }

    static Resource.Builder changed(Resource.Builder resource) {
        return resource.versions(List.of("v2", "v1"))
                .conversion(new AutoscalerVersions())
                .columns(columns());
    }

    private static List<TableColumn> columns() {
        return Columns.named()
                .text(
                        "Reference",
                        "Scaled object",
                        o ->
                                at(o, SPEC, "scaleTargetRef", "kind")
                                        + "/"
                                        + at(o, SPEC, "scaleTargetRef", "name"))
                .text("Targets", "Current and target values of the metrics", Autoscalers::targets)
                .text("MinPods", "Minimum replicas", Autoscalers::minReplicas)
                .number("MaxPods", "Maximum replicas", o -> numberAt(o, SPEC, "maxReplicas"))
                .number("Replicas", "Current replicas", o -> numberAt(o, STATUS, "currentReplicas"))
                .age()
                .list();
    }

    private static String minReplicas(JsonObject object) {
        var minReplicas = object.objectOrEmpty(SPEC).number("minReplicas");
        return minReplicas.isPresent() ? Long.toString(minReplicas.getAsLong()) : Columns.UNSET;
    }

    private static String targets(JsonObject object) {
        var metrics = object.objectOrEmpty(SPEC).objects(METRICS);
        var current = object.objectOrEmpty(STATUS).objects("currentMetrics");
        var shown = new ArrayList<String>();
        for (var i = 0; i < Math.min(metrics.size(), SHOWN_METRICS); i++) {
            shown.add(
                    target(metrics.get(i), i < current.size() ? current.get(i) : JsonObject.EMPTY));
        }
        if (shown.isEmpty()) {
            return Columns.NONE;
        }
        var text = String.join(", ", shown);
        var more = metrics.size() - shown.size();
        return more > 0 ? "%s + %d more...".formatted(text, more) : text;
    }

    private static String target(JsonObject metric, JsonObject current) {
        var type = metric.text("type");
        if (type.isEmpty()) {
            return "<unknown type>";
        }
        var member = type.substring(0, 1).toLowerCase(Locale.ROOT) + type.substring(1);
        var source = metric.objectOrEmpty(member);
        var target = source.objectOrEmpty("target");
        var is = current.objectOrEmpty(member).objectOrEmpty("current");
        var ofResource = type.equals("Resource") || type.equals("ContainerResource");
        var prefix = ofResource ? source.text("name") + ": " : "";
        if (target.has("averageUtilization")) {
            var value = is.number("averageUtilization");
            return "%s%s/%d%%"
                    .formatted(
                            prefix,
                            value.isPresent() ? value.getAsLong() + "%" : UNKNOWN,
                            target.number("averageUtilization").orElse(0));
        }
        if (target.has("averageValue")) {
            var average = ofResource || type.equals("Pods") ? "" : " (avg)";
            return prefix
                    + valueOrUnknown(is, "averageValue")
                    + "/"
                    + target.text("averageValue")
                    + average;
        }
        return prefix + valueOrUnknown(is, "value") + "/" + target.text("value");
    }

    private static String valueOrUnknown(JsonObject holder, String name) {
        return holder.text(name).isEmpty() ? UNKNOWN : holder.text(name);
    }
}
