package dev.berth.core.workload;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/// Revisions of a Deployment: the annotation on each ReplicaSet by which `kubectl rollout` shows
/// and restores versions.
final class DeploymentRevisions {

    static final String REVISION = "deployment.kubernetes.io/revision";

    /// Revisions that a ReplicaSet had before a rollback to it.
    static final String HISTORY = "deployment.kubernetes.io/revision-history";

    /// Annotations of the Deployment that are not copied to its ReplicaSets.
    private static final Set<String> NOT_COPIED =
            Set.of(
                    REVISION,
                    HISTORY,
                    "kubectl.kubernetes.io/last-applied-configuration",
                    "deployment.kubernetes.io/desired-replicas",
                    "deployment.kubernetes.io/max-replicas",
                    "deprecated.deployment.rollback.to");

    private DeploymentRevisions() {}

    /// The annotations of the newest ReplicaSet: those of the Deployment, such as the change cause,
    /// and a revision above all others.
    static JsonObject annotations(
            Workload deployment, Optional<Workload> newest, Collection<Workload> old) {
        var annotations = newest.map(Workload::annotations).orElse(JsonObject.EMPTY);
        for (var entry : deployment.annotations().members().entrySet()) {
            if (!NOT_COPIED.contains(entry.getKey())) {
                annotations = annotations.with(entry.getKey(), entry.getValue());
            }
        }
        var next = old.stream().mapToLong(DeploymentRevisions::of).max().orElse(0) + 1;
        var before = newest.map(DeploymentRevisions::of).orElse(0L);
        if (before >= next) {
            return annotations;
        }
        if (before > 0) {
            var history = annotations.text(HISTORY);
            var longer = history.isEmpty() ? Long.toString(before) : history + "," + before;
            annotations = annotations.with(HISTORY, Json.of(longer));
        }
        return annotations.with(REVISION, Json.of(Long.toString(next)));
    }

    private static long of(Workload set) {
        try {
            return Long.parseLong(set.annotations().text(REVISION));
        } catch (NumberFormatException _) {
            // No revision yet, or an invalid annotation.
            return 0;
        }
    }
}
