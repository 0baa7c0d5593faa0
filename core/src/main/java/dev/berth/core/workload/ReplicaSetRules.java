package dev.berth.core.workload;

import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodPhase;
import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Decides which pods of a ReplicaSet to create and delete.
public final class ReplicaSetRules {

    /// Limit of pods created at a time.
    private static final int BURST = 500;

    /// Order of deletion: unscheduled, not running, not ready, youngest.
    private static final Comparator<Pod> DELETION_ORDER =
            Comparator.<Pod, Boolean>comparing(pod -> !pod.spec().nodeName().isEmpty())
                    .thenComparing(pod -> pod.status().phase() == PodPhase.Known.RUNNING)
                    .thenComparing(Workload::isReady)
                    .thenComparing(
                            pod -> pod.metadata().creationTimestamp().orElse(Instant.EPOCH),
                            Comparator.reverseOrder())
                    .thenComparing(Pod::ref);

    /// Pods to create and delete, and the new status.
    ///
    /// @param status before these writes
    public record Change(int create, List<Pod> delete, JsonObject status) {

        public Change {
            delete = List.copyOf(delete);
        }
    }

    private static final String REPLICA_FAILURE = "ReplicaFailure";

    private ReplicaSetRules() {}

    /// The writes for a ReplicaSet.
    ///
    /// @param owned all pods of the ReplicaSet
    public static Change change(Workload set, Collection<Pod> owned) {
        var active = owned.stream().filter(Workload::isActive).toList();
        var desired = set.number("replicas", 1);
        var status = status(set, active);
        if (set.isDeleting() || active.size() == desired) {
            return new Change(0, List.of(), status);
        }
        if (active.size() < desired) {
            var create = (int) Math.min(BURST, desired - active.size());
            return new Change(create, List.of(), status);
        }
        var delete = active.stream().sorted(DELETION_ORDER).limit(active.size() - desired).toList();
        return new Change(0, delete, status);
    }

    /// The status after the writes of a change. The condition `ReplicaFailure` keeps the message of
    /// the first failure, and is removed when all writes succeeded.
    ///
    /// @param failure the error of a write
    public static JsonObject status(
            Workload set, Change change, Optional<String> failure, Instant now) {
        var before = set.status().objects("conditions");
        var conditions = new ArrayList<JsonObject>();
        if (failure.isPresent()) {
            conditions.add(
                    ConditionTrees.find(before, REPLICA_FAILURE)
                            .orElseGet(() ->
                                    ConditionTrees.of(
                                            REPLICA_FAILURE,
                                            true,
                                            change.create() > 0 ? "FailedCreate" : "FailedDelete",
                                            failure.get(),
                                            now)));
        }
        before.stream()
                .filter(one -> !one.text("type").equals(REPLICA_FAILURE))
                .forEach(conditions::add);
        return change.status().with("conditions", Json.array(conditions));
    }

    private static JsonObject status(Workload set, List<Pod> active) {
        var ready = active.stream().filter(Workload::isReady).count();
        return JsonObject.of("replicas", Json.of(active.size()))
                .with("fullyLabeledReplicas", Json.of(active.size()))
                .with("readyReplicas", Json.of(ready))
                .with("availableReplicas", Json.of(ready))
                .with("observedGeneration", Json.of(set.metadata().number("generation").orElse(0)));
    }
}
