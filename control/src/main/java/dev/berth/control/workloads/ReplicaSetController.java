package dev.berth.control.workloads;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.client.event.EventRecorder;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.workload.ReplicaSetRules;
import dev.berth.core.workload.Workload;
import dev.berth.model.workqueue.WorkResult;
import java.time.Instant;
import java.util.Optional;

/// Keeps ReplicaSets at their number of pods.
public final class ReplicaSetController extends WorkloadController {

    static final ResourcePath ADDRESS = new ResourcePath("apps", "v1", "replicasets");

    public ReplicaSetController(Cluster cluster, SharedCaches caches, EventRecorder events) {
        super(
                cluster,
                caches,
                new WorkloadKind(ADDRESS, "ReplicaSet", "replicaset-controller"),
                events);
    }

    /// The status is written also after a failure, with the condition `ReplicaFailure`.
    @Override
    WorkResult reconcile(Workload set, Instant now) {
        var change = ReplicaSetRules.change(set, pods.of(set));
        var result = execute(set, change, now);
        var failure =
                result instanceof WorkResult.Retry(var why)
                        ? Optional.of(why)
                        : Optional.<String>empty();
        var written = writeStatus(set, ReplicaSetRules.status(set, change, failure, now));
        return failure.isPresent() ? result : written;
    }

    private WorkResult execute(Workload set, ReplicaSetRules.Change change, Instant now) {
        for (var i = 0; i < change.create(); i++) {
            if (pods.create(set, set.pod("apps/v1", "ReplicaSet"), now)
                    instanceof WorkResult.Retry retry) {
                return retry;
            }
        }
        for (var pod : change.delete()) {
            if (pods.delete(set, pod, now) instanceof WorkResult.Retry retry) {
                return retry;
            }
        }
        return WorkResult.DONE;
    }
}
