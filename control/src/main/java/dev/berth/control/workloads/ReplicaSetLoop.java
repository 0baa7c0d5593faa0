package dev.berth.control.workloads;

import dev.berth.client.Address;
import dev.berth.client.Cluster;
import dev.berth.control.loop.Mirrors;
import dev.berth.control.loop.Verdict;
import dev.berth.core.workload.ReplicaRules;
import dev.berth.core.workload.Workload;
import java.time.Instant;

/// Keeps replica sets at their number of pods.
public final class ReplicaSetLoop extends WorkloadLoop {

    static final Address ADDRESS = new Address("apps", "v1", "replicasets");

    public ReplicaSetLoop(Cluster cluster, Mirrors mirrors) {
        super(cluster, mirrors, ADDRESS, "ReplicaSet");
    }

    @Override
    Verdict work(Workload set, Instant now) {
        var change = ReplicaRules.change(set, pods.of(set));
        for (var i = 0; i < change.create(); i++) {
            if (pods.create(set, set.pod("apps/v1", "ReplicaSet"), now)
                    instanceof Verdict.Retry retry) {
                return retry;
            }
        }
        for (var pod : change.delete()) {
            if (pods.delete(set, pod, now) instanceof Verdict.Retry retry) {
                return retry;
            }
        }
        return writeStatus(set, change.status());
    }
}
