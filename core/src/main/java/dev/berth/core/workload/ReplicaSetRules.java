package dev.berth.core.workload;

import dev.berth.model.api.Pod;
import dev.berth.model.api.PodPhase;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// Keeps a replica set at its number of pods.
public final class ReplicaSetRules {

    /// So many pods are made at a time.
    private static final int BURST = 500;

    /// Those that are worth least go first: not placed, not running, not ready, youngest.
    private static final Comparator<Pod> LEAST_WORTH_FIRST =
            Comparator.<Pod, Boolean>comparing(pod -> !pod.spec().nodeName().isEmpty())
                    .thenComparing(pod -> pod.status().phase() == PodPhase.Known.RUNNING)
                    .thenComparing(Workload::isReady)
                    .thenComparing(
                            pod -> pod.metadata().creationTimestamp().orElse(Instant.EPOCH),
                            Comparator.reverseOrder())
                    .thenComparing(Pod::ref);

    /// What to do.
    ///
    /// @param status as it should be when nothing were done
    public record Change(int create, List<Pod> delete, JsonObject status) {

        public Change {
            delete = List.copyOf(delete);
        }
    }

    private ReplicaSetRules() {}

    /// What a set needs.
    ///
    /// @param owned all pods of the set
    public static Change change(Workload set, Collection<Pod> owned) {
        var active = owned.stream().filter(Workload::isActive).toList();
        var wanted = set.number("replicas", 1);
        var status = status(set, active);
        if (set.isDeleting() || active.size() == wanted) {
            return new Change(0, List.of(), status);
        }
        if (active.size() < wanted) {
            var create = (int) Math.min(BURST, wanted - active.size());
            return new Change(create, List.of(), status);
        }
        var delete =
                active.stream().sorted(LEAST_WORTH_FIRST).limit(active.size() - wanted).toList();
        return new Change(0, delete, status);
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
