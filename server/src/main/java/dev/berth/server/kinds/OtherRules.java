package dev.berth.server.kinds;

import dev.berth.core.admission.Formats;
import dev.berth.core.admission.Problem;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.Strategy;
import java.time.temporal.ChronoUnit;
import java.util.List;

/// The rules of leases, runtime classes, disruption budgets and certificate requests.
final class OtherRules {

    private static final String LEGACY_SIGNER = "kubernetes.io/legacy-unknown";
    private static final int LEAST_EXPIRATION_SECONDS = 600;

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

    /// Who asks is written down by the server, so that nobody can ask for somebody else.
    static Strategy signingRequests() {
        return PlainStrategy.cluster()
                .withStatus()
                .onCreate((o, call) ->
                        Fill.spec(
                                o,
                                spec -> {
                                    var user = call.user();
                                    var filled =
                                            Fill.of(spec)
                                                    .set("username", Json.of(user.name()))
                                                    .set(
                                                            "groups",
                                                            Json.array(
                                                                    user.groups().stream()
                                                                            .map(Json::of)
                                                                            .toList()));
                                    return user.uid().isEmpty()
                                            ? filled.drop("uid").done()
                                            : filled.set("uid", Json.of(user.uid())).done();
                                }))
                .onStatus((_, o, call) ->
                        withTimes(o, call.now().truncatedTo(ChronoUnit.SECONDS).toString()))
                .checksNew((o, checks) -> {
                    var spec = o.objectOrEmpty("spec");
                    checks.text(spec, "request", Checks.SPEC);
                    if (spec.items("usages").isEmpty()) {
                        checks.required(Checks.SPEC.child("usages"), "");
                    }
                    signer(spec, checks);
                    if (spec.number("expirationSeconds").orElse(LEAST_EXPIRATION_SECONDS)
                            < LEAST_EXPIRATION_SECONDS) {
                        checks.invalid(
                                Checks.SPEC.child("expirationSeconds"),
                                Json.of(spec.number("expirationSeconds").orElse(0)),
                                "may not specify a duration less than 600 seconds (10 minutes)");
                    }
                })
                .checksUpdate((old, o, checks) -> checks.immutable(old, o, "spec", FieldPath.ROOT));
    }

    private static void signer(JsonObject spec, Checks checks) {
        var name = spec.text("signerName");
        var path = Checks.SPEC.child("signerName");
        if (name.isEmpty()) {
            checks.required(path, "");
        } else if (name.equals(LEGACY_SIGNER)) {
            checks.invalid(path, name, "the legacy signerName is not allowed via this API version");
        } else if (!name.contains("/")) {
            checks.invalid(
                    path,
                    name,
                    "must be a fully qualified domain and path of the form "
                            + "'example.com/signer-name'");
        } else {
            checks.form(name, path, Formats.subdomain(name.substring(0, name.indexOf('/'))));
        }
    }

    static JsonObject withTimes(JsonObject request, String now) {
        return Fill.of(request)
                .into(
                        "status",
                        s ->
                                Fill.of(s)
                                        .each(
                                                "conditions",
                                                c ->
                                                        Fill.of(c)
                                                                .text("status", "True")
                                                                .text("lastUpdateTime", now)
                                                                .text("lastTransitionTime", now)
                                                                .done())
                                        .done())
                .done();
    }

    /// A rule that does not hold for one of the decisions.
    static void checkDecision(JsonObject request, Checks checks) {
        var types =
                request.objectOrEmpty("status").objects("conditions").stream()
                        .map(c -> c.text("type"))
                        .toList();
        if (types.contains("Approved") && types.contains("Denied")) {
            checks.add(
                    Problem.invalid(
                            Checks.STATUS.child("conditions"),
                            "Denied",
                            "Approved and Denied conditions are mutually exclusive"));
        }
    }
}
