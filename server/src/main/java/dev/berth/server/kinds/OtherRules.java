package dev.berth.server.kinds;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.Strategy;
import java.util.List;

/// The rules of leases, runtime classes and disruption budgets.
final class OtherRules {

    private OtherRules() {}

    static Strategy leases() {
        return PlainStrategy.namespaced()
                .checks((o, checks) -> {
                    var spec = o.objectOrEmpty("spec");
                    if (spec.has("leaseDurationSeconds")
                            && spec.number("leaseDurationSeconds").orElse(0) <= 0) {
                        checks.invalid(
                                Checks.SPEC.child("leaseDurationSeconds"),
                                Json.of(spec.number("leaseDurationSeconds").orElse(0)),
                                "must be greater than 0");
                    }
                    checks.notNegative(spec, "leaseTransitions", Checks.SPEC);
                    checks.optionalOneOf(
                            spec, "strategy", Checks.SPEC, List.of("OldestEmulationVersion"));
                });
    }

    static Strategy runtimeClasses() {
        return PlainStrategy.cluster()
                .defaults(o ->
                        Fill.of(o)
                                .in(
                                        "overhead",
                                        h -> Fill.of(h).in("podFixed", Amounts::canonical).done())
                                .done())
                .checks((o, checks) -> {
                    checks.label(o.text("handler"), FieldPath.of("handler"));
                    ResourceChecks.list(
                            o.objectOrEmpty("overhead").objectOrEmpty("podFixed"),
                            FieldPath.of("overhead", "podFixed"),
                            checks);
                    o.object("scheduling")
                            .ifPresent(s ->
                                    AffinityChecks.tolerations(
                                            s, FieldPath.of("scheduling"), checks));
                })
                .checksUpdate(
                        (old, o, checks) -> checks.immutable(old, o, "handler", FieldPath.ROOT));
    }

    static Strategy disruptionBudgets() {
        return PlainStrategy.namespaced()
                .withStatus(
                        JsonObject.of("currentHealthy", Json.of(0))
                                .with("desiredHealthy", Json.of(0))
                                .with("disruptionsAllowed", Json.of(0))
                                .with("expectedPods", Json.of(0)))
                .countingGenerations()
                .checks((o, checks) -> {
                    var spec = o.objectOrEmpty("spec");
                    if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
                        checks.invalid(
                                Checks.SPEC,
                                spec,
                                "minAvailable and maxUnavailable cannot be both set");
                    }
                    AppsRules.countOrShare(spec, "minAvailable", Checks.SPEC, checks);
                    AppsRules.countOrShare(spec, "maxUnavailable", Checks.SPEC, checks);
                    checks.optionalOneOf(
                            spec,
                            "unhealthyPodEvictionPolicy",
                            Checks.SPEC,
                            List.of("AlwaysAllow", "IfHealthyBudget"));
                    spec.object("selector")
                            .ifPresent(
                                    s -> Selectors.check(s, Checks.SPEC.child("selector"), checks));
                })
                .checksStatus((_, o, checks) -> {
                    for (var name :
                            List.of(
                                    "disruptionsAllowed",
                                    "currentHealthy",
                                    "desiredHealthy",
                                    "expectedPods")) {
                        checks.notNegative(o.objectOrEmpty("status"), name, Checks.STATUS);
                    }
                });
    }
}
