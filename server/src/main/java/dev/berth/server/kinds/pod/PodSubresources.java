package dev.berth.server.kinds.pod;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.core.admission.field.TreeEdits;
import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.check.ResourceQuantities;
import dev.berth.server.kinds.check.SubresourceRules;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Subresource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Subresources of pods: binding, eviction, ephemeral containers, resize, and those served by the
/// kubelet.
public final class PodSubresources {

    private static final Set<String> READ_AND_WRITE = Set.of("get", "update", "patch");

    private PodSubresources() {}

    public static Subresource[] all() {
        return new Subresource[] {
            new Subresource(
                    "binding",
                    "",
                    "v1",
                    "Binding",
                    Set.of("create"),
                    SubresourceRules.written(PodSubresources::bind)),
            Eviction.subresource(),
            new Subresource(
                    "ephemeralcontainers",
                    "",
                    "v1",
                    "Pod",
                    READ_AND_WRITE,
                    SubresourceRules.whole(PodSubresources::addEphemeral)),
            new Subresource(
                    "resize",
                    "",
                    "v1",
                    "Pod",
                    READ_AND_WRITE,
                    SubresourceRules.whole(PodSubresources::resize)),
            servedByKubelet("log", "Pod", "get"),
            servedByKubelet("exec", "PodExecOptions", "get", "create"),
            servedByKubelet("attach", "PodAttachOptions", "get", "create"),
            servedByKubelet("portforward", "PodPortForwardOptions", "get", "create"),
        };
    }

    /// A subresource served by the kubelet of the pod's node, such as log and exec. A server that
    /// can connect to nodes handles it elsewhere; this one returns an error that names the node.
    private static Subresource servedByKubelet(String name, String kind, String... verbs) {
        return new Subresource(
                name,
                "",
                "v1",
                kind,
                Set.of(verbs),
                new Subresource.Rules() {
                    @Override
                    public JsonObject read(JsonObject pod, RequestContext context) {
                        throw notServed(name, pod).exception();
                    }

                    @Override
                    public JsonObject write(
                            JsonObject pod,
                            JsonObject body,
                            RequestContext context,
                            Subresource.Writer w) {
                        throw notServed(name, pod).exception();
                    }
                });
    }

    private static ApiError notServed(String what, JsonObject pod) {
        var name = pod.objectOrEmpty("metadata").text("name");
        var node = pod.objectOrEmpty("spec").text("nodeName");
        return ApiError.badRequest(
                node.isEmpty()
                        ? "pod %s does not have a host assigned".formatted(name)
                        : "%s of pod %s is not served here; use the kubelet of its node %s"
                                .formatted(what, name, node));
    }

    private static JsonObject bind(
            JsonObject parent,
            JsonObject binding,
            RequestContext context,
            Subresource.Writer writer) {
        var name = parent.objectOrEmpty("metadata").text("name");
        var target = binding.objectOrEmpty("target");
        var checks = new ObjectChecks(context);
        var path = FieldPath.of("target");
        if (!Set.of("", "Node").contains(target.text("kind"))) {
            checks.add(
                    FieldError.notSupported(
                            path.child("kind"), target.text("kind"), List.of("Node", "<empty>")));
        }
        checks.text(target, "name", path);
        SubresourceRules.throwIfInvalid(
                new ApiError.About("", "bindings", "Binding", name), checks);
        writer.change(pod -> bound(pod, binding, context));
        return SubresourceRules.success(201);
    }

    private static JsonObject bound(JsonObject pod, JsonObject binding, RequestContext context) {
        var metadata = pod.objectOrEmpty("metadata");
        var name = metadata.text("name");
        var about = new ApiError.About("", "pods/binding", "Binding", name);
        SubresourceRules.sameIdentity(binding, pod, about);
        var spec = pod.objectOrEmpty("spec");
        if (metadata.has("deletionTimestamp")) {
            throw ApiError.conflict(
                            about,
                            "pod %s is being deleted, cannot be assigned to a host".formatted(name))
                    .exception();
        }
        if (!spec.text("nodeName").isEmpty()) {
            throw ApiError.conflict(
                            about,
                            "pod %s is already assigned to node \"%s\""
                                    .formatted(name, spec.text("nodeName")))
                    .exception();
        }
        if (!spec.items("schedulingGates").isEmpty()) {
            throw ApiError.conflict(
                            about, "pod %s has non-empty .spec.schedulingGates".formatted(name))
                    .exception();
        }
        var node = binding.objectOrEmpty("target").member("name").orElseThrow();
        var sent = binding.objectOrEmpty("metadata");
        var changed = pod.with("spec", spec.with("nodeName", node));
        for (var map : List.of("annotations", "labels")) {
            for (var entry : sent.objectOrEmpty(map).members().entrySet()) {
                changed =
                        DefaultsFiller.metadata(
                                changed,
                                m ->
                                        DefaultsFiller.of(m)
                                                .into(
                                                        map,
                                                        l ->
                                                                l.with(
                                                                        entry.getKey(),
                                                                        entry.getValue()))
                                                .done());
            }
        }
        return ComposedStrategy.Generations.count(pod, scheduled(changed, context));
    }

    private static JsonObject scheduled(JsonObject pod, RequestContext context) {
        var status = pod.objectOrEmpty("status");
        var conditions = new ArrayList<>(status.objects("conditions"));
        conditions.removeIf(one -> one.text("type").equals("PodScheduled"));
        conditions.add(
                ConditionTrees.of("PodScheduled", true, "", "", context.now())
                        .with("lastProbeTime", Json.JsonNull.INSTANCE));
        return pod.with("status", status.with("conditions", Json.array(conditions)));
    }

    private static JsonObject addEphemeral(
            JsonObject pod, JsonObject body, RequestContext context) {
        var before = pod.objectOrEmpty("spec");
        var requested = body.objectOrEmpty("spec").objects("ephemeralContainers");
        var filled =
                requested.stream()
                        .map(PodDefaults::container)
                        .map(c -> c.without("resources"))
                        .toList();
        var changed = pod.with("spec", before.with("ephemeralContainers", Json.array(filled)));
        var checks = new ObjectChecks(context);
        var path = ObjectChecks.SPEC.child("ephemeralContainers");
        for (var old : before.objects("ephemeralContainers")) {
            var same =
                    filled.stream()
                            .filter(c -> c.text("name").equals(old.text("name")))
                            .findFirst();
            if (same.isEmpty()) {
                checks.forbidden(
                        path,
                        "existing ephemeral containers \"%s\" may not be removed"
                                .formatted(old.text("name")));
            } else if (!SemanticEquality.same(old, same.get())) {
                checks.forbidden(
                        path,
                        "existing ephemeral containers \"%s\" may not be changed"
                                .formatted(old.text("name")));
            }
        }
        PodChecks.spec(changed.objectOrEmpty("spec"), ObjectChecks.SPEC, checks);
        SubresourceRules.throwIfInvalid(SubresourceRules.about("", "pods", "Pod", pod), checks);
        return ComposedStrategy.Generations.count(pod, changed);
    }

    private static JsonObject resize(JsonObject pod, JsonObject body, RequestContext context) {
        var before = pod.objectOrEmpty("spec");
        var requested = PodDefaults.pod(body).objectOrEmpty("spec");
        var checks = new ObjectChecks(context);
        var changed = before;
        for (var list : List.of("containers", "initContainers")) {
            if (before.items(list).size() != requested.items(list).size()) {
                checks.forbidden(ObjectChecks.SPEC, "only cpu and memory resources are mutable");
            } else if (before.has(list)) {
                changed = changed.with(list, Json.array(resized(before, requested, list, checks)));
            }
        }
        PodChecks.spec(changed, ObjectChecks.SPEC, checks);
        if (!PodDefaults.qualityOfService(before).equals(PodDefaults.qualityOfService(changed))) {
            checks.invalid(
                    ObjectChecks.SPEC,
                    PodDefaults.qualityOfService(changed),
                    "Pod QOS Class may not change as a result of resizing");
        }
        SubresourceRules.throwIfInvalid(SubresourceRules.about("", "pods", "Pod", pod), checks);
        var resized = pod.with("spec", changed);
        LimitRanges.check(resized, context);
        return ComposedStrategy.Generations.count(pod, resized);
    }

    private static List<Json> resized(
            JsonObject before, JsonObject requested, String list, ObjectChecks checks) {
        var result = new ArrayList<Json>();
        var now = requested.objects(list);
        for (var old : before.objects(list)) {
            var one = now.get(result.size());
            var place = ObjectChecks.SPEC.child(list).index(result.size());
            for (var side : List.of("requests", "limits")) {
                var kept = TreeEdits.without(amounts(old, side), List.of("cpu", "memory"));
                var amounts = TreeEdits.without(amounts(one, side), List.of("cpu", "memory"));
                if (!ResourceQuantities.canonical(kept)
                        .equals(ResourceQuantities.canonical(amounts))) {
                    checks.forbidden(
                            place.child("resources").child(side),
                            "only cpu and memory resources are mutable");
                }
            }
            result.add(
                    TreeEdits.copyMember(
                            TreeEdits.copyMember(old, one, "resources"), one, "resizePolicy"));
        }
        return result;
    }

    private static JsonObject amounts(JsonObject container, String side) {
        return container.objectOrEmpty("resources").objectOrEmpty(side);
    }
}
