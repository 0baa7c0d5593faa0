package dev.berth.server.kinds;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.IpAddresses;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.check.ResourceQuantities;
import dev.berth.server.kinds.pod.ContainerChecks;
import dev.berth.server.kinds.quota.QuotaEvaluation;
import dev.berth.server.registry.Strategy;
import java.util.ArrayList;
import java.util.List;

/// Defaulting and validation of namespaces, service accounts, endpoints and quotas.
final class CoreRules {

    private static final String NAME_LABEL = "kubernetes.io/metadata.name";
    private static final String NAMESPACE_FINALIZER = "kubernetes";
    private static final List<String> QUOTA_SCOPES =
            List.of(
                    "BestEffort",
                    "CrossNamespacePodAffinity",
                    "NotBestEffort",
                    "NotTerminating",
                    "PriorityClass",
                    "Terminating",
                    "VolumeAttributesClass");

    private CoreRules() {}

    static Strategy namespaces() {
        return ComposedStrategy.cluster()
                .named(NameFormats::label)
                .withStatus(JsonObject.of("phase", Json.of("Active")))
                .defaults(CoreRules::labelledWithName)
                .onCreate((namespace, _) -> withFinalizer(namespace))
                .onUpdate((old, namespace, _) ->
                        // Only the finalize subresource may remove it.
                        namespace.with("spec", old.objectOrEmpty("spec")));
    }

    private static JsonObject labelledWithName(JsonObject namespace) {
        var name = namespace.objectOrEmpty("metadata").text("name");
        return name.isEmpty()
                ? namespace
                : DefaultsFiller.metadata(
                        namespace,
                        m ->
                                DefaultsFiller.of(m)
                                        .into("labels", l -> l.with(NAME_LABEL, Json.of(name)))
                                        .done());
    }

    private static JsonObject withFinalizer(JsonObject namespace) {
        return DefaultsFiller.spec(
                namespace,
                spec -> {
                    var finalizers = new ArrayList<>(spec.items("finalizers"));
                    if (!spec.strings("finalizers").contains(NAMESPACE_FINALIZER)) {
                        finalizers.add(Json.of(NAMESPACE_FINALIZER));
                    }
                    return spec.with("finalizers", Json.array(finalizers));
                });
    }

    static Strategy serviceAccounts() {
        return ComposedStrategy.namespaced();
    }

    static Strategy endpoints() {
        return ComposedStrategy.namespaced()
                .defaults(o -> DefaultsFiller.of(o).each("subsets", CoreRules::filledSubset).done())
                .checks((o, checks) ->
                        checks.each(
                                o, "subsets", FieldPath.ROOT, (s, at) -> subset(s, at, checks)));
    }

    private static JsonObject filledSubset(JsonObject subset) {
        return DefaultsFiller.of(subset)
                .each("ports", port -> DefaultsFiller.of(port).text("protocol", "TCP").done())
                .done();
    }

    private static void subset(JsonObject subset, FieldPath path, ObjectChecks checks) {
        if (subset.items("addresses").isEmpty() && subset.items("notReadyAddresses").isEmpty()) {
            checks.required(path, "must specify `addresses` or `notReadyAddresses`");
        }
        for (var list : List.of("addresses", "notReadyAddresses")) {
            checks.each(subset, list, path, (one, at) -> endpoint(one, at, checks));
        }
        var several = subset.items("ports").size() > 1;
        checks.each(
                subset,
                "ports",
                path,
                (port, at) -> {
                    if (port.text("name").isEmpty() && several) {
                        checks.required(at.child("name"), "");
                    }
                    checks.between(port, "port", at, 1, 65535);
                    checks.oneOf(port, "protocol", at, ContainerChecks.PROTOCOLS);
                });
    }

    private static void endpoint(JsonObject address, FieldPath path, ObjectChecks checks) {
        var ip = address.text("ip");
        if (!IpAddresses.isAddress(ip)) {
            checks.invalid(
                    path.child("ip"),
                    ip,
                    "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
        } else if (ip.startsWith("127.") || ip.equals("::1")) {
            checks.invalid(
                    path.child("ip"),
                    ip,
                    "may not be in the loopback range (127.0.0.0/8, ::1/128)");
        }
    }

    static Strategy quotas() {
        return ComposedStrategy.namespaced()
                .withStatus()
                .defaults(q -> {
                    var spec =
                            DefaultsFiller.spec(
                                    q,
                                    s ->
                                            DefaultsFiller.of(s)
                                                    .in("hard", ResourceQuantities::canonical)
                                                    .done());
                    return DefaultsFiller.of(spec)
                            .in(
                                    "status",
                                    s ->
                                            DefaultsFiller.of(s)
                                                    .in("hard", ResourceQuantities::canonical)
                                                    .in("used", ResourceQuantities::canonical)
                                                    .done())
                            .done();
                })
                .checks((quota, checks) -> {
                    var spec = quota.objectOrEmpty("spec");
                    hard(spec.objectOrEmpty("hard"), ObjectChecks.SPEC.child("hard"), checks);
                    scopes(spec, checks);
                })
                .checksUpdate((old, quota, checks) -> {
                    checks.immutableSpec(old, quota, "scopes");
                    checks.immutableSpec(old, quota, "scopeSelector");
                })
                .checksStatus((_, quota, checks) -> {
                    var status = quota.objectOrEmpty("status");
                    hard(status.objectOrEmpty("hard"), ObjectChecks.STATUS.child("hard"), checks);
                    hard(status.objectOrEmpty("used"), ObjectChecks.STATUS.child("used"), checks);
                });
    }

    private static void hard(JsonObject amounts, FieldPath path, ObjectChecks checks) {
        for (var name : amounts.names()) {
            checks.form(name, path.key(name), NameFormats.labelKey(name));
            if (!name.contains("/") && !QuotaEvaluation.isStandard(name)) {
                checks.invalid(
                        path.key(name),
                        name,
                        "must be a standard resource type or fully qualified");
                checks.invalid(path.key(name), name, "must be a standard resource for quota");
            }
            if (ResourceQuantities.at(amounts, name).isEmpty()) {
                checks.invalid(
                        path.key(name), amounts.member(name).orElseThrow(), "must be a quantity");
            }
            ResourceQuantities.notNegative(amounts, name, path.key(name), checks);
        }
    }

    private static void scopes(JsonObject spec, ObjectChecks checks) {
        var names = spec.strings("scopes");
        for (var i = 0; i < names.size(); i++) {
            if (!QUOTA_SCOPES.contains(names.get(i))) {
                checks.add(
                        FieldError.notSupported(
                                ObjectChecks.SPEC.child("scopes").index(i),
                                names.get(i),
                                QUOTA_SCOPES));
            }
        }
        for (var pair :
                List.of(
                        List.of("BestEffort", "NotBestEffort"),
                        List.of("Terminating", "NotTerminating"))) {
            if (names.containsAll(pair)) {
                checks.invalid(
                        ObjectChecks.SPEC.child("scopes"),
                        Json.array(spec.items("scopes")),
                        "conflicting scopes");
            }
        }
        var selector = spec.objectOrEmpty("scopeSelector");
        checks.each(
                selector,
                "matchExpressions",
                ObjectChecks.SPEC.child("scopeSelector"),
                (one, at) -> {
                    checks.oneOf(one, "scopeName", at, QUOTA_SCOPES);
                    checks.oneOf(
                            one, "operator", at, List.of("DoesNotExist", "Exists", "In", "NotIn"));
                    var needsValues = List.of("In", "NotIn").contains(one.text("operator"));
                    if (needsValues && one.items("values").isEmpty()) {
                        checks.required(
                                at.child("values"),
                                "must be at least one value when `operator` is 'In' or 'NotIn' for "
                                        + "scope "
                                        + "selector");
                    }
                });
    }
}
