package dev.berth.server.kinds;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.check.SelectorChecks;
import dev.berth.server.registry.Strategy;
import java.util.List;

/// Defaulting and validation of PodDisruptionBudgets.
final class DisruptionBudgetRules {

    private DisruptionBudgetRules() {}

    static Strategy disruptionBudgets() {
        return ComposedStrategy.namespaced()
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
                                ObjectChecks.SPEC,
                                spec,
                                "minAvailable and maxUnavailable cannot be both set");
                    }
                    AppsRules.countOrShare(spec, "minAvailable", ObjectChecks.SPEC, checks);
                    AppsRules.countOrShare(spec, "maxUnavailable", ObjectChecks.SPEC, checks);
                    checks.optionalOneOf(
                            spec,
                            "unhealthyPodEvictionPolicy",
                            ObjectChecks.SPEC,
                            List.of("AlwaysAllow", "IfHealthyBudget"));
                    spec.object("selector")
                            .ifPresent(s ->
                                    SelectorChecks.check(
                                            s, ObjectChecks.SPEC.child("selector"), checks));
                })
                .checksStatus((_, o, checks) -> {
                    for (var name :
                            List.of(
                                    "disruptionsAllowed",
                                    "currentHealthy",
                                    "desiredHealthy",
                                    "expectedPods")) {
                        checks.notNegative(o.objectOrEmpty("status"), name, ObjectChecks.STATUS);
                    }
                });
    }
}
