package dev.berth.server.kinds.pod;

import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.SubresourceRules;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.LabelSelectorParser;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Subresource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

/// The eviction subresource: deletes a pod unless a PodDisruptionBudget forbids it.
final class Eviction {

    private static final String BUDGETS = "policy/poddisruptionbudgets";
    private static final String VIOLATES =
            "Cannot evict pod as it would violate the pod's disruption budget.";
    private static final int MAX_DISRUPTED = 2000;
    private static final int STALE_RETRY_SECONDS = 10;

    private Eviction() {}

    static Subresource subresource() {
        return new Subresource(
                "eviction",
                "policy",
                "v1",
                "Eviction",
                Set.of("create"),
                SubresourceRules.written(Eviction::evict));
    }

    private static JsonObject evict(
            JsonObject pod, JsonObject body, RequestContext context, Subresource.Writer writer) {
        var name = pod.objectOrEmpty("metadata").text("name");
        var sent = body.objectOrEmpty("metadata").text("name");
        if (!sent.isEmpty() && !sent.equals(name)) {
            throw ApiError.badRequest("name in URL does not match name in Eviction object")
                    .exception();
        }
        if (!isExempt(pod)) {
            chargeBudget(pod, context, writer);
        }
        var options = body.objectOrEmpty("deleteOptions");
        if (!options.objectOrEmpty("preconditions").has("resourceVersion")) {
            // The condition changes the version.
            writer.change(newest -> withDisruptionTarget(newest, context));
        }
        writer.delete(options);
        return SubresourceRules.success(201);
    }

    private static JsonObject withDisruptionTarget(JsonObject pod, RequestContext context) {
        var status = pod.objectOrEmpty("status");
        var before = status.objects("conditions");
        var condition =
                ConditionTrees.update(
                        before,
                        "DisruptionTarget",
                        "True",
                        "EvictionByEvictionAPI",
                        "Eviction API: evicting",
                        context.now());
        var conditions = Json.array(ConditionTrees.withOthers(List.of(condition), before));
        return pod.with("status", status.with("conditions", conditions));
    }

    /// True for pods that no budget counts.
    private static boolean isExempt(JsonObject pod) {
        return Set.of("Succeeded", "Failed", "Pending")
                        .contains(pod.objectOrEmpty("status").text("phase"))
                || pod.objectOrEmpty("metadata").has("deletionTimestamp");
    }

    private static void chargeBudget(
            JsonObject pod, RequestContext context, Subresource.Writer writer) {
        var metadata = pod.objectOrEmpty("metadata");
        var labels = metadata.objectOrEmpty("labels");
        var budgets =
                context.objects().list(BUDGETS, metadata.text("namespace")).stream()
                        .filter(b ->
                                b.objectOrEmpty("spec")
                                        .object("selector")
                                        .filter(s -> LabelSelectorParser.read(s).matches(labels))
                                        .isPresent())
                        .toList();
        if (budgets.size() > 1) {
            throw new ApiError(
                            500,
                            "InternalError",
                            "This pod has more than one PodDisruptionBudget, which the eviction "
                                    + "subresource does not support.",
                            JsonObject.EMPTY)
                    .exception();
        }
        if (budgets.isEmpty() || mayEvictUnhealthy(pod, budgets.getFirst())) {
            return;
        }
        var budget = budgets.getFirst().objectOrEmpty("metadata");
        writer.changeOther(
                BUDGETS,
                metadata.text("namespace"),
                budget.text("name"),
                newest -> charged(newest, metadata.text("name"), context));
    }

    /// An unhealthy pod may be evicted if enough healthy ones remain, or if the budget's policy
    /// allows it.
    private static boolean mayEvictUnhealthy(JsonObject pod, JsonObject budget) {
        var ready =
                pod.objectOrEmpty("status").objects("conditions").stream()
                        .anyMatch(c ->
                                c.text("type").equals("Ready") && c.text("status").equals("True"));
        if (ready) {
            return false;
        }
        var status = budget.objectOrEmpty("status");
        var desired = status.number("desiredHealthy").orElse(0);
        return budget.objectOrEmpty("spec").text("unhealthyPodEvictionPolicy").equals("AlwaysAllow")
                || (desired > 0 && status.number("currentHealthy").orElse(0) >= desired);
    }

    private static JsonObject charged(JsonObject budget, String podName, RequestContext context) {
        var metadata = budget.objectOrEmpty("metadata");
        var name = metadata.text("name");
        var status = budget.objectOrEmpty("status");
        if (status.number("observedGeneration").orElse(0)
                < metadata.number("generation").orElse(0)) {
            throw tooMany(
                            "The disruption budget %s is still being processed by the server."
                                    .formatted(name),
                            STALE_RETRY_SECONDS)
                    .exception();
        }
        var about =
                SubresourceRules.about(
                        "policy", "poddisruptionbudgets", "PodDisruptionBudget", budget);
        var allowed = status.number("disruptionsAllowed").orElse(0);
        if (allowed < 0) {
            throw ApiError.forbidden(about, "pdb disruptions allowed is negative").exception();
        }
        if (status.objectOrEmpty("disruptedPods").members().size() > MAX_DISRUPTED) {
            throw ApiError.forbidden(
                            about,
                            "DisruptedPods map too big - too many evictions not confirmed by PDB "
                                    + "controller")
                    .exception();
        }
        if (allowed == 0) {
            throw tooMany(blockedCause(name, status), 0).exception();
        }
        var now = Json.of(context.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return budget.with(
                "status",
                DefaultsFiller.of(status)
                        .set("disruptionsAllowed", Json.of(allowed - 1))
                        .into("disruptedPods", pods -> pods.with(podName, now))
                        .done());
    }

    private static String blockedCause(String name, JsonObject status) {
        return ConditionTrees.find(status.objects("conditions"), "DisruptionAllowed")
                .filter(one -> one.text("reason").equals("SyncFailed"))
                .map(one ->
                        ("The disruption budget %s does not allow evicting pods currently because"
                                        + " it failed sync: %s")
                                .formatted(name, one.text("message")))
                .orElseGet(() ->
                        "The disruption budget %s needs %d healthy pods and has %d currently"
                                .formatted(
                                        name,
                                        status.number("desiredHealthy").orElse(0),
                                        status.number("currentHealthy").orElse(0)));
    }

    private static ApiError tooMany(String cause, int retrySeconds) {
        var details =
                JsonObject.of(
                        "causes",
                        Json.array(
                                JsonObject.of("reason", Json.of("DisruptionBudget"))
                                        .with("message", Json.of(cause))));
        return new ApiError(
                429,
                "TooManyRequests",
                VIOLATES,
                retrySeconds == 0
                        ? details
                        : details.with("retryAfterSeconds", Json.of(retrySeconds)));
    }
}
