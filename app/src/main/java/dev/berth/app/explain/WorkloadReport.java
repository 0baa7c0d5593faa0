package dev.berth.app.explain;

import dev.berth.core.explain.Explanation;
import dev.berth.core.explain.text.ExplanationJson;
import dev.berth.core.explain.text.ExplanationText;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// Why pods of a workload are pending, or do not exist.
///
/// @param scheduled number of pods with a node
/// @param pending number of pods without a node
/// @param notCreated number of pods that do not exist
/// @param cause why pods do not exist; empty if all exist, or if it is not known
/// @param isError whether the cause is an error, not what the spec says
/// @param groups explanations of pending pods, of one pod of the template if none is pending;
///   bounded, so that they may be of some of the pods only
record WorkloadReport(
        String kind,
        ObjectRef ref,
        int scheduled,
        int pending,
        int notCreated,
        Optional<String> cause,
        boolean isError,
        List<PodGroup> groups) {

    WorkloadReport {
        groups = List.copyOf(groups);
    }

    /// Pods that have the same explanation.
    ///
    /// @param pods names of pending pods; empty for pods that do not exist
    record PodGroup(List<String> pods, Outcome outcome) {
        PodGroup {
            pods = List.copyOf(pods);
        }
    }

    /// The result for the pods of a group.
    sealed interface Outcome {
        record Explained(Explanation explanation) implements Outcome {}

        /// An object that the pods refer to is missing.
        record Unresolved(String reason) implements Outcome {}
    }

    /// Whether all pods are scheduled or fit.
    boolean fits() {
        return !isError
                && groups.stream()
                        .allMatch(group ->
                                group.outcome instanceof Outcome.Explained(Explanation.Fits _));
    }

    /// The first line.
    String summary() {
        var counts =
                "%d scheduled, %d pending".formatted(scheduled, pending)
                        + (notCreated == 0 ? "" : ", %d not created".formatted(notCreated));
        return "%s %s: %s%s"
                .formatted(kind, ref, counts, cause.map(words -> ": " + words).orElse(""));
    }

    /// The text after the first line.
    String details() {
        var text = new StringBuilder();
        for (var group : groups) {
            text.append('\n').append(title(group)).append('\n');
            switch (group.outcome) {
                case Outcome.Explained(var explanation) ->
                        text.append(ExplanationText.of(explanation));
                case Outcome.Unresolved(var reason) -> text.append(reason).append('\n');
            }
        }
        var explained = groups.stream().mapToInt(group -> group.pods.size()).sum();
        if (explained < pending) {
            text.append(
                    "\n%d more pending pods are not explained\n".formatted(pending - explained));
        }
        return text.toString();
    }

    private static String title(PodGroup group) {
        return group.pods.isEmpty()
                ? "A pod of its template:"
                : "For %s:".formatted(PodNames.listed(group.pods));
    }

    JsonObject json() {
        return JsonObject.of("summary", Json.of(summary()))
                .with("kind", Json.of(kind))
                .with("namespace", Json.of(ref.namespace()))
                .with("name", Json.of(ref.name()))
                .with("fits", Json.of(fits()))
                .with("scheduled", Json.of((long) scheduled))
                .with("pending", Json.of((long) pending))
                .with("notCreated", Json.of((long) notCreated))
                .with("cause", Json.of(cause.orElse("")))
                .with("groups", Json.array(groups.stream().map(WorkloadReport::json).toList()));
    }

    private static JsonObject json(PodGroup group) {
        var pods = JsonObject.of("pods", Json.array(group.pods.stream().map(Json::of).toList()));
        return switch (group.outcome) {
            case Outcome.Explained(var explanation) ->
                    pods.with("explanation", ExplanationJson.of(explanation));
            case Outcome.Unresolved(var reason) -> pods.with("reason", Json.of(reason));
        };
    }
}
