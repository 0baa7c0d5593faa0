package dev.berth.app.cluster;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A workload controller such as a Deployment, its pods, and what was reported about it.
///
/// @param object the workload as written
/// @param dependents ReplicaSets of a Deployment, Jobs of a CronJob
/// @param events events about the workload and its dependents
/// @param pods pods that exist and have not ended
/// @param missing pods that the workload wants and that do not exist, as its template has them
public record Workload(
        String kind,
        ObjectRef ref,
        JsonObject object,
        List<JsonObject> dependents,
        List<JsonObject> events,
        List<Pod> pods,
        List<Pod> missing) {

    private static final String FAILED_CREATE = "FailedCreate";

    public Workload {
        dependents = List.copyOf(dependents);
        events = List.copyOf(events);
        pods = List.copyOf(pods);
        missing = List.copyOf(missing);
    }

    /// Whether the workload exists in a cluster, where a controller creates its pods. Manifests
    /// have no UID.
    public boolean isCreated() {
        return !object.objectOrEmpty("metadata").text("uid").isEmpty();
    }

    /// Why the workload wants no pods, such as `spec.replicas is 0`; empty if it wants some.
    public Optional<String> whyNoPodsAreWanted() {
        var spec = object.objectOrEmpty("spec");
        for (var condition : object.objectOrEmpty("status").objects("conditions")) {
            var isEnd = condition.text("type").equals("Complete") || isFailure(condition);
            if (kind.equals("Job") && isEnd && condition.text("status").equals("True")) {
                return Optional.of(
                        isFailure(condition)
                                ? "the Job has failed: " + condition.text("message")
                                : "the Job is complete");
            }
        }
        if (spec.flag("suspend").orElse(false)) {
            return Optional.of("spec.suspend is true");
        }
        for (var field : List.of("replicas", "parallelism")) {
            if (spec.has(field) && spec.number(field).orElse(1) == 0) {
                return Optional.of("spec.%s is 0".formatted(field));
            }
        }
        return kind.equals("CronJob") && dependents.isEmpty()
                ? Optional.of("no Job has been created by schedule " + spec.text("schedule"))
                : Optional.empty();
    }

    private static boolean isFailure(JsonObject condition) {
        return condition.text("type").equals("Failed");
    }

    /// The error of the controller that could not create pods: from a `ReplicaFailure` condition,
    /// or from the newest `FailedCreate` event.
    public Optional<String> creationError() {
        var reporting = new ArrayList<>(dependents);
        reporting.addFirst(object);
        for (var one : reporting) {
            for (var condition : one.objectOrEmpty("status").objects("conditions")) {
                if (condition.text("type").equals("ReplicaFailure")
                        && condition.text("status").equals("True")) {
                    return Optional.of(condition.text("message"));
                }
            }
        }
        return events.stream()
                .filter(event -> event.text("reason").equals(FAILED_CREATE))
                .max(Comparator.comparing(Workload::time))
                .map(event -> event.text("message"));
    }

    private static String time(JsonObject event) {
        var series = event.objectOrEmpty("series").text("lastObservedTime");
        var last = event.text("lastTimestamp");
        return series.isEmpty() ? (last.isEmpty() ? event.text("eventTime") : last) : series;
    }
}
