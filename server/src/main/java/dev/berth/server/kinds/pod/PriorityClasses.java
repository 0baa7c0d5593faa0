package dev.berth.server.kinds.pod;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Strategy;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Strategy of priority classes, and the two system classes.
public final class PriorityClasses {

    static final String COLLECTION = "scheduling.k8s.io/priorityclasses";
    private static final FieldPath VALUE = FieldPath.of("value");
    private static final String SYSTEM_PREFIX = "system-";
    private static final long USER_MAX = 1_000_000_000;
    private static final Map<String, Long> SYSTEM =
            Map.of(
                    "system-node-critical",
                    2_000_001_000L,
                    "system-cluster-critical",
                    2_000_000_000L);

    private PriorityClasses() {}

    /// The system classes, which are created at startup if missing.
    public static List<JsonObject> system() {
        return SYSTEM.keySet().stream().sorted().map(PriorityClasses::system).toList();
    }

    private static JsonObject system(String name) {
        return JsonObject.of("apiVersion", Json.of("scheduling.k8s.io/v1"))
                .with("kind", Json.of("PriorityClass"))
                .with("metadata", JsonObject.of("name", Json.of(name)))
                .with("value", Json.of(SYSTEM.getOrDefault(name, 0L)))
                .with(
                        "description",
                        Json.of("For pods without which the cluster or one of its nodes fails"))
                .with("preemptionPolicy", Json.of("PreemptLowerPriority"));
    }

    static Optional<JsonObject> named(String name, RequestContext context) {
        var stored = context.objects().get(COLLECTION, "", name);
        return stored.isPresent() || !SYSTEM.containsKey(name) ? stored : Optional.of(system(name));
    }

    /// The default class of pods without one; of several the one with the lowest value.
    static Optional<JsonObject> globalDefault(RequestContext context) {
        return context.objects().list(COLLECTION, "").stream()
                .filter(one -> one.flag("globalDefault").orElse(false))
                .min(Comparator.comparingLong(one -> one.number("value").orElse(0)));
    }

    static String preemption(JsonObject priorityClass) {
        return priorityClass.string("preemptionPolicy").orElse("PreemptLowerPriority");
    }

    public static Strategy strategy() {
        return ComposedStrategy.cluster()
                .countingGenerations()
                .defaults(o ->
                        DefaultsFiller.of(o)
                                .number("value", 0)
                                .text("preemptionPolicy", "PreemptLowerPriority")
                                .done())
                .checks(PriorityClasses::check)
                .checksNew(PriorityClasses::onlyOneDefault)
                .checksUpdate((old, object, checks) -> {
                    if (old.number("value").orElse(0) != object.number("value").orElse(0)) {
                        checks.forbidden(VALUE, "may not be changed in an update.");
                    }
                    checks.immutable(old, object, "preemptionPolicy", FieldPath.ROOT);
                    if (!old.flag("globalDefault").orElse(false)) {
                        onlyOneDefault(object, checks);
                    }
                });
    }

    private static void check(JsonObject object, ObjectChecks checks) {
        var name = object.objectOrEmpty("metadata").text("name");
        var value = object.number("value").orElse(0);
        if (name.startsWith(SYSTEM_PREFIX)) {
            var known = Optional.ofNullable(SYSTEM.get(name));
            if (known.filter(v -> v == value).isEmpty()) {
                checks.forbidden(
                        ObjectChecks.METADATA.child("name"),
                        "priority class names with '%s' prefix are reserved for system use only"
                                .formatted(SYSTEM_PREFIX));
            }
        } else if (value > USER_MAX) {
            checks.forbidden(
                    VALUE, "maximum allowed value of a user defined priority is " + USER_MAX);
        }
        checks.oneOf(
                object,
                "preemptionPolicy",
                FieldPath.ROOT,
                List.of("Never", "PreemptLowerPriority"));
    }

    private static void onlyOneDefault(JsonObject object, ObjectChecks checks) {
        if (!object.flag("globalDefault").orElse(false)) {
            return;
        }
        var name = object.objectOrEmpty("metadata").text("name");
        globalDefault(checks.context())
                .map(other -> other.objectOrEmpty("metadata").text("name"))
                .filter(other -> !other.equals(name))
                .ifPresent(other ->
                        checks.forbidden(
                                FieldPath.ROOT.child("globalDefault"),
                                "PriorityClass %s is already the globalDefault; only one may be"
                                        .formatted(other)));
    }
}
