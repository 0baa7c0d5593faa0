package dev.berth.control.workloads;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.workload.ReplicaSetRules;
import dev.berth.core.workload.Workload;
import dev.berth.model.workqueue.WorkResult;
import java.time.Instant;

/// Keeps ReplicaSets at their number of pods.
public final class ReplicaSetController extends WorkloadController {

    static final ResourcePath ADDRESS = new ResourcePath("apps", "v1", "replicasets");

    public ReplicaSetController(Cluster cluster, SharedCaches caches) {
        super(cluster, caches, ADDRESS, "ReplicaSet");
    }

    @Override
    WorkResult reconcile(Workload set, Instant now) {
        var change = ReplicaSetRules.change(set, pods.of(set));
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
        return writeStatus(set, change.status());
    }
}
