package dev.berth.server.kinds.pod;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.check.ResourceQuantities;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Strategy;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;

/// LimitRanges: strategy of the kind, and its enforcement for containers, pods and volume claims of
/// a namespace.
public final class LimitRanges {

    private static final List<String> BOUNDS =
            List.of("min", "max", "default", "defaultRequest", "maxLimitRequestRatio");

    private LimitRanges() {}

    /// The pod with the default requests and limits of its namespace.
    static JsonObject apply(JsonObject pod, RequestContext context) {
        var result = pod;
        for (var range : context.objects().list("limitranges", context.namespace())) {
            for (var item : range.objectOrEmpty("spec").objects("limits")) {
                if (item.text("type").equals("Container")) {
                    result = withDefaults(result, item);
                }
            }
        }
        return result;
    }

    private static JsonObject withDefaults(JsonObject pod, JsonObject item) {
        return DefaultsFiller.spec(
                pod,
                spec -> {
                    var filled = DefaultsFiller.of(spec);
                    for (var list : List.of("initContainers", "containers")) {
                        filled.each(
                                list,
                                c ->
                                        DefaultsFiller.of(c)
                                                .into("resources", r -> amounts(r, item))
                                                .done());
                    }
                    return filled.done();
                });
    }

    private static JsonObject amounts(JsonObject resources, JsonObject item) {
        var filled = DefaultsFiller.of(resources);
        fill(filled, "limits", item.objectOrEmpty("default"));
        fill(filled, "requests", item.objectOrEmpty("defaultRequest"));
        return filled.done();
    }

    private static void fill(DefaultsFiller resources, String name, JsonObject amounts) {
        if (!amounts.isEmpty()) {
            resources.into(
                    name,
                    own -> {
                        var result = DefaultsFiller.of(own);
                        amounts.members().forEach(result::json);
                        return ResourceQuantities.canonical(result.done());
                    });
        }
    }

    /// Rejects a pod whose requests or limits violate a LimitRange.
    static void check(JsonObject pod, RequestContext context) {
        var faults = new ArrayList<String>();
        for (var range : context.objects().list("limitranges", context.namespace())) {
            for (var item : range.objectOrEmpty("spec").objects("limits")) {
                switch (item.text("type")) {
                    case "Container" -> {
                        for (var list : List.of("initContainers", "containers")) {
                            for (var container : pod.objectOrEmpty("spec").objects(list)) {
                                var own = container.objectOrEmpty("resources");
                                bounds(
                                        item,
                                        own.objectOrEmpty("requests"),
                                        own.objectOrEmpty("limits"),
                                        faults);
                            }
                        }
                    }
                    case "Pod" -> {
                        var spec = pod.objectOrEmpty("spec");
                        bounds(
                                item,
                                PodResourceTotals.total(spec, "requests"),
                                PodResourceTotals.total(spec, "limits"),
                                faults);
                    }
                    default -> {}
                }
            }
        }
        if (!faults.isEmpty()) {
            throw PodAdmission.forbidden(pod, joined(faults)).exception();
        }
    }

    private static String joined(List<String> faults) {
        return faults.size() == 1 ? faults.getFirst() : "[" + String.join(", ", faults) + "]";
    }

    /// Rejects a volume claim whose request violates a LimitRange.
    public static void checkVolumeClaim(JsonObject claim, RequestContext context) {
        var faults = new ArrayList<String>();
        var own = claim.objectOrEmpty("spec").objectOrEmpty("resources");
        for (var range : context.objects().list("limitranges", context.namespace())) {
            for (var item : range.objectOrEmpty("spec").objects("limits")) {
                if (item.text("type").equals("PersistentVolumeClaim")) {
                    bounds(
                            item,
                            own.objectOrEmpty("requests"),
                            own.objectOrEmpty("requests"),
                            faults);
                }
            }
        }
        if (!faults.isEmpty()) {
            var name = claim.objectOrEmpty("metadata").text("name");
            var about =
                    new ApiError.About("", "persistentvolumeclaims", "PersistentVolumeClaim", name);
            throw ApiError.forbidden(about, joined(faults)).exception();
        }
    }

    private static void bounds(
            JsonObject item, JsonObject requests, JsonObject limits, List<String> faults) {
        var type = item.text("type");
        var minimum = item.objectOrEmpty("min");
        for (var name : minimum.names()) {
            least(name, type, ResourceQuantities.orZero(minimum, name), requests, faults);
        }
        var maximum = item.objectOrEmpty("max");
        for (var name : maximum.names()) {
            most(name, type, ResourceQuantities.orZero(maximum, name), requests, limits, faults);
        }
        var ratios = item.objectOrEmpty("maxLimitRequestRatio");
        for (var name : ratios.names()) {
            ratio(name, type, ResourceQuantities.orZero(ratios, name), requests, limits, faults);
        }
    }

    private static void least(
            String name, String type, Quantity least, JsonObject requests, List<String> faults) {
        var request = ResourceQuantities.at(requests, name);
        if (request.isEmpty()) {
            faults.add(
                    "minimum %s usage per %s is %s.  No request is specified"
                            .formatted(name, type, least));
        } else if (request.get().compareTo(least) < 0) {
            faults.add(
                    "minimum %s usage per %s is %s, but request is %s"
                            .formatted(name, type, least, request.get()));
        }
    }

    private static void most(
            String name,
            String type,
            Quantity most,
            JsonObject requests,
            JsonObject limits,
            List<String> faults) {
        var limit = ResourceQuantities.at(limits, name);
        if (limit.isEmpty()) {
            faults.add(
                    "maximum %s usage per %s is %s.  No limit is specified"
                            .formatted(name, type, most));
            return;
        }
        if (limit.get().compareTo(most) > 0) {
            faults.add(
                    "maximum %s usage per %s is %s, but limit is %s"
                            .formatted(name, type, most, limit.get()));
        }
        ResourceQuantities.at(requests, name)
                .filter(request -> request.compareTo(most) > 0)
                .ifPresent(request ->
                        faults.add(
                                "maximum %s usage per %s is %s, but request is %s"
                                        .formatted(name, type, most, request)));
    }

    private static void ratio(
            String name,
            String type,
            Quantity most,
            JsonObject requests,
            JsonObject limits,
            List<String> faults) {
        var request = ResourceQuantities.orZero(requests, name);
        var limit = ResourceQuantities.orZero(limits, name);
        if (request.signum() == 0 || limit.signum() == 0) {
            faults.add(
                    "%s max limit to request ratio per %s is %s, but no request or limit is set"
                            .formatted(name, type, most));
            return;
        }
        if (limit.amount().compareTo(request.amount().multiply(most.amount())) > 0) {
            var actual = limit.amount().divide(request.amount(), 6, RoundingMode.HALF_UP);
            faults.add(
                    "%s max limit to request ratio per %s is %s, but provided ratio is %s"
                            .formatted(name, type, most, plain(actual)));
        }
    }

    private static String plain(BigDecimal number) {
        return number.setScale(6, RoundingMode.HALF_UP).toPlainString();
    }

    public static Strategy strategy() {
        return ComposedStrategy.namespaced()
                .defaults(LimitRanges::filled)
                .checks(LimitRanges::validate);
    }

    /// For containers the default limit is the maximum, and the default request is the default
    /// limit or the minimum.
    private static JsonObject filled(JsonObject range) {
        return DefaultsFiller.spec(
                range,
                spec -> DefaultsFiller.of(spec).each("limits", LimitRanges::filledItem).done());
    }

    private static JsonObject filledItem(JsonObject item) {
        var filled = DefaultsFiller.of(item);
        BOUNDS.forEach(bound -> filled.in(bound, ResourceQuantities::canonical));
        if (!item.text("type").equals("Container")) {
            return filled.done();
        }
        return filled.when(item.has("max"), i -> merged(i, "default", "max"))
                .when(
                        item.has("default") || item.has("max"),
                        i -> merged(i, "defaultRequest", "default"))
                .when(item.has("min"), i -> merged(i, "defaultRequest", "min"))
                .done();
    }

    private static JsonObject merged(JsonObject item, String name, String from) {
        return DefaultsFiller.of(item)
                .into(
                        name,
                        own -> {
                            var result = DefaultsFiller.of(own);
                            item.objectOrEmpty(from).members().forEach(result::json);
                            return result.done();
                        })
                .done();
    }

    private static void validate(JsonObject range, ObjectChecks checks) {
        var types = new HashSet<String>();
        checks.each(
                range.objectOrEmpty("spec"),
                "limits",
                ObjectChecks.SPEC,
                (item, at) -> {
                    var type = item.text("type");
                    checks.form(type, at.child("type"), NameFormats.labelKey(type));
                    if (!types.add(type)) {
                        checks.add(FieldError.duplicate(at.child("type"), Json.of(type)));
                    }
                    item(item, at, checks);
                });
    }

    private static void item(JsonObject item, FieldPath path, ObjectChecks checks) {
        var names = new TreeSet<String>();
        for (var bound : BOUNDS) {
            names.addAll(item.objectOrEmpty(bound).names());
        }
        if (item.text("type").equals("Pod")) {
            for (var bound : List.of("default", "defaultRequest")) {
                if (!item.objectOrEmpty(bound).isEmpty()) {
                    checks.forbidden(
                            path.child(bound), "may not be specified when `type` is 'Pod'");
                }
            }
        }
        for (var name : names) {
            ordered(item, name, "min", "max", path, checks);
            ordered(item, name, "min", "defaultRequest", path, checks);
            ordered(item, name, "defaultRequest", "max", path, checks);
            ordered(item, name, "defaultRequest", "default", path, checks);
            ordered(item, name, "default", "max", path, checks);
        }
    }

    private static void ordered(
            JsonObject item,
            String name,
            String low,
            String high,
            FieldPath path,
            ObjectChecks checks) {
        var least = ResourceQuantities.at(item.objectOrEmpty(low), name);
        var most = ResourceQuantities.at(item.objectOrEmpty(high), name);
        if (least.isPresent() && most.isPresent() && least.get().compareTo(most.get()) > 0) {
            checks.invalid(
                    path.child(low).key(name),
                    least.get().toString(),
                    "%s value %s is greater than %s value %s"
                            .formatted(low, least.get(), high, most.get()));
        }
    }
}
