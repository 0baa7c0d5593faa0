package dev.berth.app.plan;

import dev.berth.core.plan.defragment.DefragmentStep;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The steps of a defragmentation as shell commands.
///
/// A pod with a PodDisruptionBudget is evicted through the Eviction API, so that the server checks
/// the budget again; kubectl has no command for a single eviction.
final class DefragmentCommands {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]+");
    private static final Set<String> WITH_ROLLOUT = Set.of("StatefulSet");

    private DefragmentCommands() {}

    static List<String> of(List<DefragmentStep> steps) {
        return steps.stream().flatMap(DefragmentCommands::of).toList();
    }

    private static Stream<String> of(DefragmentStep step) {
        return switch (step) {
            case DefragmentStep.Cordon(var node) -> Stream.of("kubectl cordon " + quoted(node));
            case DefragmentStep.Uncordon(var node) -> Stream.of("kubectl uncordon " + quoted(node));
            case DefragmentStep.Evict evict ->
                    Stream.of(
                            eviction(evict),
                            "kubectl wait --for=delete pod/%s -n %s --timeout=10m"
                                    .formatted(
                                            quoted(evict.pod().metadata().name()),
                                            quoted(evict.pod().metadata().namespace())),
                            replacement(evict.pod(), evict.destination()));
            case DefragmentStep.Schedule(var room, var node) ->
                    room.isStatedSize() || room.pod().metadata().uid().value().isEmpty()
                            ? Stream.empty()
                            : Stream.of(
                                    "kubectl wait --for=condition=PodScheduled pod/%s -n %s # on %s"
                                            .formatted(
                                                    quoted(room.pod().metadata().name()),
                                                    quoted(room.pod().metadata().namespace()),
                                                    comment(node)));
        };
    }

    private static String eviction(DefragmentStep.Evict evict) {
        var name = evict.pod().metadata().name();
        var namespace = evict.pod().metadata().namespace();
        if (!evict.budgeted()) {
            return "kubectl delete pod %s -n %s".formatted(quoted(name), quoted(namespace));
        }
        var body =
                JsonObject.of("apiVersion", Json.of("policy/v1"))
                        .with("kind", Json.of("Eviction"))
                        .with(
                                "metadata",
                                JsonObject.of("name", Json.of(name))
                                        .with("namespace", Json.of(namespace)));
        var path = "/api/v1/namespaces/%s/pods/%s/eviction".formatted(namespace, name);
        return "echo %s | kubectl create --raw %s -f -"
                .formatted(quoted(JsonWriter.compact(body)), quoted(path));
    }

    /// Waits for the replacement of an evicted pod.
    private static String replacement(Pod pod, String node) {
        var owner = pod.metadata().controller().orElseThrow();
        var namespace = quoted(pod.metadata().namespace());
        var hash = "-" + pod.metadata().labels().getOrDefault("pod-template-hash", "");
        var note = " # the replacement fits on " + comment(node);
        if (owner.kind().equals("ReplicaSet") && hash.length() > 1 && owner.name().endsWith(hash)) {
            var name = owner.name().substring(0, owner.name().length() - hash.length());
            return "kubectl rollout status deployment/%s -n %s%s"
                    .formatted(quoted(name), namespace, note);
        }
        return WITH_ROLLOUT.contains(owner.kind())
                ? "kubectl rollout status statefulset/%s -n %s%s"
                        .formatted(quoted(owner.name()), namespace, note)
                : "# wait until %s %s has a ready pod on %s instead"
                        .formatted(comment(owner.kind()), comment(owner.name()), comment(node));
    }

    private static String quoted(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /// Names of files may contain line breaks, which would end a comment.
    private static String comment(String text) {
        return PLAIN.matcher(text).matches() ? text : JsonWriter.compact(Json.of(text));
    }
}
