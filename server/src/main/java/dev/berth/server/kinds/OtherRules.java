package dev.berth.server.kinds;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.Strategy;
import java.util.List;

/// The rules of disruption budgets.
final class OtherRules {

    private OtherRules() {}

    static Strategy disruptionBudgets() {
        return PlainStrategy.namespaced()
                .warning(
                        "Berth stores PodDisruptionBudget objects and never computes their status;"
                                + " evictions of their pods are refused")
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
