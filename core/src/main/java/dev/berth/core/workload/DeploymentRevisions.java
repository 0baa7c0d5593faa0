package dev.berth.core.workload;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/// The versions of a deployment in the order in which they were wanted: a number on each replica
/// set, by which people look at them and go back.
final class DeploymentRevisions {

    static final String REVISION = "deployment.kubernetes.io/revision";

    /// The numbers that a set had before somebody went back to it.
    static final String HISTORY = "deployment.kubernetes.io/revision-history";

    /// What is said of the deployment alone.
    private static final Set<String> OWN =
            Set.of(
                    REVISION,
                    HISTORY,
                    "kubectl.kubernetes.io/last-applied-configuration",
                    "deployment.kubernetes.io/desired-replicas",
                    "deployment.kubernetes.io/max-replicas",
                    "deprecated.deployment.rollback.to");

    private DeploymentRevisions() {}

    /// What the newest set should have: everything that is said of the deployment, such as why it
    /// was changed, and a number above those of all others.
    static JsonObject annotations(
            Workload deployment, Optional<Workload> newest, Collection<Workload> old) {
        var annotations = newest.map(Workload::annotations).orElse(JsonObject.EMPTY);
        for (var entry : deployment.annotations().members().entrySet()) {
            if (!OWN.contains(entry.getKey())) {
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
            // Nobody has numbered it yet, or somebody wrote something of their own.
            return 0;
        }
    }
}
