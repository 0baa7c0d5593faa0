package dev.berth.dashboard.pending;

import dev.berth.core.explain.DeviceMatrix;
import dev.berth.core.explain.Explanation;
import dev.berth.core.explain.text.ExplanationJson;
import dev.berth.core.explain.text.ExplanationText;
import dev.berth.core.explain.text.ExplanationWording;
import dev.berth.dashboard.fleet.PodOwner;
import dev.berth.dashboard.watch.ClusterWatch;
import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// JSON of the pending pods, and of the explanation of one.
public final class PendingView {

    /// Limit of items in the list.
    private static final int MAX_ITEMS = 1_000;

    /// Limit of names in an item.
    private static final int MAX_NAMES = 50;

    /// Time in which items are explained; the others have the message of the scheduler.
    private static final Duration BUDGET = Duration.ofSeconds(2);

    private final ClusterWatch watch;
    private final PodExplanations explanations;
    private final Predicate<Pod> isOwn;
    private final Clock clock;

    /// Equal pods of one workload.
    private record ItemKey(String namespace, String owner, String gang, String scheduler) {}

    /// @param isOwn whether a Berth scheduler schedules a pod
    public PendingView(
            ClusterWatch watch,
            PodExplanations explanations,
            Predicate<Pod> isOwn,
            Clock clock) {
        this.watch = watch;
        this.explanations = explanations;
        this.isOwn = isOwn;
        this.clock = clock;
    }

    /// The list of pending pods by cause.
    public JsonObject list() {
        var pods = PendingPods.of(watch);
        var groups = new LinkedHashMap<ItemKey, List<Pod>>();
        for (var pod : pods) {
            groups.computeIfAbsent(key(pod), _ -> new ArrayList<>()).add(pod);
        }
        var end = clock.instant().plus(BUDGET);
        var items = new ArrayList<Item>();
        var explained = 0;
        for (var group : groups.values().stream().limit(MAX_ITEMS).toList()) {
            var explanation =
                    clock.instant().isBefore(end)
                            ? explanations.ofPod(group.getFirst().ref())
                            : Optional.<Explanation>empty();
            explained += explanation.isPresent() ? group.size() : 0;
            items.add(item(group, explanation));
        }
        items.sort(Comparator.comparing(Item::cause));
        return JsonObject.of("pods", Json.of(pods.size()))
                .with("items", Json.array(items.stream().map(Item::json).toList()))
                .with("explained", Json.of(explained))
                .with("truncated", Json.of(Math.max(0, groups.size() - MAX_ITEMS)));
    }

    private record Item(PendingCause cause, JsonObject json) {}

    private static ItemKey key(Pod pod) {
        var owner = PodOwner.text(pod);
        return new ItemKey(
                pod.ref().namespace(),
                owner.isEmpty() ? "Pod/" + pod.ref().name() : owner,
                pod.spec().podGroupName().orElse(""),
                pod.spec().schedulerName());
    }

    private Item item(List<Pod> group, Optional<Explanation> explanation) {
        var first = group.getFirst();
        var cause = explanation.map(PendingCause::of).orElse(PendingCause.OTHER);
        var message = message(first);
        var text = explanation.map(ExplanationText::summary).orElse(message);
        var tree =
                JsonObject.of("kind", Json.of(cause.text()))
                        .with("namespace", Json.of(first.ref().namespace()))
                        .with("pod", Json.of(first.ref().name()))
                        .with(
                                "pods",
                                Json.array(
                                        group.stream()
                                                .limit(MAX_NAMES)
                                                .map(pod -> Json.of(pod.ref().name()))
                                                .toList()))
                        .with("count", Json.of(group.size()))
                        .with("cause", Json.of(text))
                        .with("classes", Json.array(classes(explanation)))
                        .with("message", Json.of(message))
                        .with("own", Json.of(isOwn.test(first)));
        var waiting = explanation.map(PendingCause::waiting).orElse("");
        return new Item(
                cause,
                about(first, waiting.isEmpty() ? tree : tree.with("waiting", Json.of(waiting))));
    }

    private static List<Json> classes(Optional<Explanation> explanation) {
        return explanation.stream()
                .filter(Explanation.Misfit.class::isInstance)
                .flatMap(one -> ((Explanation.Misfit) one).cluster().stream())
                .map(request -> request.deviceClass())
                .distinct()
                .<Json>map(Json::of)
                .toList();
    }

    private static JsonObject about(Pod pod, JsonObject tree) {
        var more =
                tree.with("owner", Json.of(PodOwner.text(pod)))
                        .with("gang", Json.of(pod.spec().podGroupName().orElse("")))
                        .with("scheduler", Json.of(pod.spec().schedulerName()));
        var since = pod.metadata().creationTimestamp();
        return since.isPresent() ? more.with("since", Json.of(since.get())) : more;
    }

    /// The message of the pod's scheduler.
    private static String message(Pod pod) {
        return pod.status().conditions().stream()
                .filter(one -> one.type().equals("PodScheduled") && !one.isTrue())
                .map(Condition::message)
                .findFirst()
                .orElse("");
    }

    /// The explanation of a pod or claim; empty when it does not exist.
    ///
    /// @param node name of the node whose devices are added; empty for none
    public Optional<JsonObject> explain(ObjectRef ref, boolean isClaim, Optional<String> node) {
        return explanations.of(ref, isClaim, node).map(answer -> json(ref, isClaim, answer));
    }

    private JsonObject json(ObjectRef ref, boolean isClaim, PodExplanations.Answer answer) {
        var explanation = ExplanationJson.of(answer.explanation());
        var tree =
                JsonObject.of("asked", Json.array(asked(answer.explanation())))
                        .with("explanation", with(explanation, answer.matrix()))
                        .with("uncertain", Json.of(!watch.mayReadClaims()));
        var pod = isClaim ? Optional.<Pod>empty() : watch.pods().find(ref);
        return pod.map(one -> tree.with("pod", pod(one))).orElse(tree);
    }

    private static JsonObject with(JsonObject explanation, Optional<DeviceMatrix> matrix) {
        return matrix.map(one -> explanation.with("matrix", ExplanationJson.of(one)))
                .orElse(explanation);
    }

    private static List<Json> asked(Explanation explanation) {
        if (!(explanation instanceof Explanation.Misfit misfit)) {
            return List.of();
        }
        return misfit.cluster().stream()
                .<Json>map(request ->
                        Json.of(
                                "%s of class %s on one node (claim %s, %s)"
                                        .formatted(
                                                ExplanationWording.devices(request.needed()),
                                                request.deviceClass(),
                                                request.claim(),
                                                ExplanationWording.request(request))))
                .toList();
    }

    private JsonObject pod(Pod pod) {
        var claims = PodClaimReferences.all(pod);
        return about(
                        pod,
                        JsonObject.of("namespace", Json.of(pod.ref().namespace()))
                                .with("name", Json.of(pod.ref().name())))
                .with("node", Json.of(pod.spec().nodeName()))
                .with("phase", Json.of(pod.status().phase().text()))
                .with("message", Json.of(message(pod)))
                .with("own", Json.of(isOwn.test(pod)))
                .with(
                        "claims",
                        Json.array(claims.stream().map(one -> Json.of(one.name())).toList()));
    }
}
