package dev.berth.server.kinds;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.ServedKind;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.check.ResourceQuantities;
import dev.berth.server.kinds.pod.AffinityChecks;
import dev.berth.server.kinds.pod.PodChecks;
import dev.berth.server.kinds.pod.PodDefaults;
import dev.berth.server.kinds.pod.ResourceChecks;
import dev.berth.server.registry.Resource;
import java.util.ArrayList;

/// Rules of declared kinds that the schema language cannot express: defaults that depend on other
/// fields, and validation across fields.
final class DeclaredRules {

    private static final String TEMPLATE = "template";

    private DeclaredRules() {}

    /// The strategy with additional rules for the kind.
    static ComposedStrategy added(ServedKind kind, ComposedStrategy strategy) {
        return switch (kind.kind()) {
            case "APIService" -> strategy.checks(DeclaredRules::apiService);
            case "ClusterTrustBundle" -> strategy.checks(DeclaredRules::trustBundle);
            case "HorizontalPodAutoscaler" -> Autoscalers.rules(strategy);
            case "NetworkPolicy" -> strategy.defaults(DeclaredRules::policyTypes);
            case "PodTemplate" ->
                    strategy.defaults(PodDefaults::template)
                            .checks((object, checks) ->
                                    PodChecks.template(
                                            object.objectOrEmpty(TEMPLATE),
                                            FieldPath.of(TEMPLATE),
                                            checks));
            case "PriorityLevelConfiguration" -> strategy.checks(DeclaredRules::priorityLevel);
            case "RuntimeClass" -> runtimeClass(strategy);
            default -> strategy;
        };
    }

    /// The resource with additional versions and columns.
    static Resource.Builder changed(ServedKind kind, Resource.Builder resource) {
        return kind.kind().equals("HorizontalPodAutoscaler")
                ? Autoscalers.changed(resource)
                : resource;
    }

    private static void apiService(JsonObject object, ObjectChecks checks) {
        var spec = object.objectOrEmpty("spec");
        var expected = spec.text("version") + "." + spec.text("group");
        var name = object.objectOrEmpty("metadata").text("name");
        if (!name.equals(expected)) {
            checks.invalid(
                    ObjectChecks.METADATA.child("name"),
                    name,
                    "must be `spec.version+\".\"+spec.group`: \"%s\"".formatted(expected));
        }
        if (spec.has("caBundle") && spec.flag("insecureSkipTLSVerify").orElse(false)) {
            checks.invalid(
                    ObjectChecks.SPEC.child("insecureSkipTLSVerify"),
                    Json.of(true),
                    "may not be true if caBundle is present");
        }
    }

    /// The name of a signer's bundle begins with the signer name, with colons in place of slashes.
    private static void trustBundle(JsonObject object, ObjectChecks checks) {
        var signer = object.objectOrEmpty("spec").text("signerName");
        var name = object.objectOrEmpty("metadata").text("name");
        var prefix = signer.replace('/', ':') + ":";
        if (!signer.isEmpty() && !name.startsWith(prefix)) {
            checks.invalid(
                    ObjectChecks.METADATA.child("name"),
                    name,
                    "ClusterTrustBundle for signerName %s must be named with prefix %s"
                            .formatted(signer, prefix));
        } else if (signer.isEmpty() && name.contains(":")) {
            checks.invalid(
                    ObjectChecks.METADATA.child("name"),
                    name,
                    "ClusterTrustBundle without signer name must not have \":\" in its name");
        }
    }

    /// The default policy type is ingress, and also egress if there are egress rules.
    private static JsonObject policyTypes(JsonObject object) {
        return DefaultsFiller.spec(
                object,
                spec -> {
                    if (!spec.items("policyTypes").isEmpty()) {
                        return spec;
                    }
                    var types = new ArrayList<Json>();
                    types.add(Json.of("Ingress"));
                    if (!spec.items("egress").isEmpty()) {
                        types.add(Json.of("Egress"));
                    }
                    return spec.with("policyTypes", Json.array(types));
                });
    }

    private static void priorityLevel(JsonObject object, ObjectChecks checks) {
        var limited = object.objectOrEmpty("spec").objectOrEmpty("limited");
        var response = limited.objectOrEmpty("limitResponse");
        if (response.text("type").equals("Queue") && !response.has("queuing")) {
            checks.required(
                    FieldPath.of("spec", "limited", "limitResponse", "queuing"),
                    "must not be empty if limitResponse.type is Queue");
        }
    }

    private static ComposedStrategy runtimeClass(ComposedStrategy strategy) {
        return strategy.defaults(object ->
                        DefaultsFiller.of(object)
                                .in(
                                        "overhead",
                                        overhead ->
                                                DefaultsFiller.of(overhead)
                                                        .in(
                                                                "podFixed",
                                                                ResourceQuantities::canonical)
                                                        .done())
                                .done())
                .checks((object, checks) -> {
                    ResourceChecks.list(
                            object.objectOrEmpty("overhead").objectOrEmpty("podFixed"),
                            FieldPath.of("overhead", "podFixed"),
                            checks);
                    object.object("scheduling")
                            .ifPresent(scheduling ->
                                    AffinityChecks.tolerations(
                                            scheduling, FieldPath.of("scheduling"), checks));
                });
    }
}
