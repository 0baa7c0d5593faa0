package dev.berth.server.kinds.pod;

import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.ResourceQuantities;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.RequestContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Built-in admission plugins of pods: LimitRanger, ServiceAccount, Priority, RuntimeClass and
/// DefaultTolerationSeconds.
final class PodAdmission {

    private static final long DEFAULT_TOLERATION_SECONDS = 300;
    private static final List<String> DEFAULT_TOLERATED_TAINTS =
            List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");
    private static final String DEFAULT_ACCOUNT = "default";

    /// Annotation of mirror pods, by which a kubelet represents its static pods.
    private static final String MIRROR = "kubernetes.io/config.mirror";

    private PodAdmission() {}

    /// The pod after admission, before validation.
    ///
    /// @throws dev.berth.server.registry.ApiException if the pod is rejected
    static JsonObject apply(JsonObject pod, RequestContext context) {
        var limited = LimitRanges.apply(pod, context);
        var spec = limited.objectOrEmpty("spec");
        spec = account(limited, spec, context);
        spec = priority(limited, spec, context);
        spec = runtime(limited, spec, context);
        spec = defaultTolerations(spec);
        var done = limited.with("spec", spec);
        LimitRanges.check(done, context);
        return done;
    }

    static ApiError forbidden(JsonObject pod, String why) {
        return ApiError.forbidden(
                new ApiError.About("", "pods", "Pod", pod.objectOrEmpty("metadata").text("name")),
                why);
    }

    private static JsonObject account(JsonObject pod, JsonObject spec, RequestContext context) {
        if (pod.objectOrEmpty("metadata").objectOrEmpty("annotations").has(MIRROR)) {
            checkMirror(pod, spec);
            return spec;
        }
        var name =
                spec.text("serviceAccountName").isEmpty()
                        ? DEFAULT_ACCOUNT
                        : spec.text("serviceAccountName");
        var filled =
                DefaultsFiller.of(spec)
                        .set("serviceAccountName", Json.of(name))
                        .set("serviceAccount", Json.of(name));
        var account = context.objects().get("serviceaccounts", context.namespace(), name);
        // The service account `default` is created shortly after its namespace. Kubernetes waits
        // for it and may reject the pod; here a client that creates both in one go never fails.
        if (account.isEmpty() && !name.equals(DEFAULT_ACCOUNT)) {
            throw forbidden(
                            pod,
                            ("error looking up service account %s/%s: serviceaccount \"%s\" not"
                                            + " found")
                                    .formatted(context.namespace(), name, name))
                    .exception();
        }
        if (spec.items("imagePullSecrets").isEmpty()) {
            account.flatMap(a -> a.array("imagePullSecrets"))
                    .filter(secrets -> secrets.size() > 0)
                    .ifPresent(secrets -> filled.set("imagePullSecrets", secrets));
        }
        return filled.done();
    }

    /// A mirror pod represents a static pod of a node and must not give the node access to other
    /// objects.
    private static void checkMirror(JsonObject pod, JsonObject spec) {
        if (!spec.text("serviceAccountName").isEmpty()) {
            throw forbidden(pod, "a mirror pod may not reference service accounts").exception();
        }
        for (var volume : spec.objects("volumes")) {
            if (volume.has("secret")) {
                throw forbidden(pod, "a mirror pod may not reference secrets").exception();
            }
            for (var source : volume.objectOrEmpty("projected").objects("sources")) {
                if (source.has("serviceAccountToken")) {
                    throw forbidden(
                                    pod,
                                    "a mirror pod may not use ServiceAccountToken volume"
                                            + " projections")
                            .exception();
                }
            }
        }
    }

    private static JsonObject priority(JsonObject pod, JsonObject spec, RequestContext context) {
        var name = spec.text("priorityClassName");
        var chosen =
                name.isEmpty()
                        ? PriorityClasses.globalDefault(context)
                        : PriorityClasses.named(name, context);
        if (!name.isEmpty() && chosen.isEmpty()) {
            throw forbidden(pod, "no PriorityClass with name %s was found".formatted(name))
                    .exception();
        }
        var value = chosen.map(c -> c.number("value").orElse(0)).orElse(0L);
        var policy = chosen.map(PriorityClasses::preemption).orElse("PreemptLowerPriority");
        sameOrAbsent(
                pod,
                spec.number("priority").isPresent()
                        ? Optional.of(Long.toString(spec.number("priority").getAsLong()))
                        : Optional.empty(),
                Long.toString(value),
                "the integer value of priority (%s) must not be provided in pod spec; priority "
                        + "admission controller computed %s from the given PriorityClass name");
        sameOrAbsent(
                pod,
                spec.string("preemptionPolicy"),
                policy,
                "the string value of PreemptionPolicy (%s) must not be provided in pod spec; "
                        + "priority admission controller computed %s from the given PriorityClass "
                        + "name");
        return DefaultsFiller.of(spec)
                .when(
                        chosen.isPresent(),
                        s ->
                                s.with(
                                        "priorityClassName",
                                        chosen.orElseThrow()
                                                .objectOrEmpty("metadata")
                                                .member("name")
                                                .orElseThrow()))
                .set("priority", Json.of(value))
                .set("preemptionPolicy", Json.of(policy))
                .done();
    }

    private static void sameOrAbsent(
            JsonObject pod, Optional<String> given, String computed, String message) {
        if (given.isPresent() && !given.get().equals(computed)) {
            throw forbidden(pod, message.formatted(given.get(), computed)).exception();
        }
    }

    private static JsonObject runtime(JsonObject pod, JsonObject spec, RequestContext context) {
        var name = spec.text("runtimeClassName");
        if (name.isEmpty()) {
            return spec;
        }
        var runtime = context.objects().get("node.k8s.io/runtimeclasses", "", name);
        if (runtime.isEmpty()) {
            throw forbidden(pod, "pod rejected: RuntimeClass \"%s\" not found".formatted(name))
                    .exception();
        }
        var filled = DefaultsFiller.of(spec);
        var overhead = runtime.get().objectOrEmpty("overhead").objectOrEmpty("podFixed");
        if (!overhead.isEmpty()) {
            filled.set("overhead", ResourceQuantities.canonical(overhead));
        }
        var scheduling = runtime.get().objectOrEmpty("scheduling");
        for (var label : scheduling.objectOrEmpty("nodeSelector").members().entrySet()) {
            select(pod, spec, filled, label);
        }
        for (var toleration : scheduling.items("tolerations")) {
            filled.append("tolerations", toleration);
        }
        return filled.done();
    }

    private static void select(
            JsonObject pod, JsonObject spec, DefaultsFiller filled, Map.Entry<String, Json> label) {
        var own = spec.objectOrEmpty("nodeSelector").member(label.getKey());
        if (own.isPresent() && !own.get().equals(label.getValue())) {
            throw forbidden(
                            pod,
                            "conflict: runtimeClass.scheduling.nodeSelector[%s] differs from the "
                                            .formatted(label.getKey())
                                    + "pod's")
                    .exception();
        }
        filled.into("nodeSelector", s -> s.with(label.getKey(), label.getValue()));
    }

    private static JsonObject defaultTolerations(JsonObject spec) {
        var tolerations = new ArrayList<>(spec.items("tolerations"));
        for (var key : DEFAULT_TOLERATED_TAINTS) {
            if (spec.objects("tolerations").stream().noneMatch(t -> tolerates(t, key))) {
                tolerations.add(
                        JsonObject.of("key", Json.of(key))
                                .with("operator", Json.of("Exists"))
                                .with("effect", Json.of("NoExecute"))
                                .with("tolerationSeconds", Json.of(DEFAULT_TOLERATION_SECONDS)));
            }
        }
        return SemanticEquality.same(Json.array(tolerations), Json.array(spec.items("tolerations")))
                ? spec
                : spec.with("tolerations", Json.array(tolerations));
    }

    private static boolean tolerates(JsonObject toleration, String key) {
        return List.of("", key).contains(toleration.text("key"))
                && List.of("", "NoExecute").contains(toleration.text("effect"));
    }
}
