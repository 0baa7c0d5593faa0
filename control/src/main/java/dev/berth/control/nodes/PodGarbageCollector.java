package dev.berth.control.nodes;

import dev.berth.client.Cluster;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.cache.ObjectCache.Listener;
import dev.berth.control.loop.KeyedControlLoop;
import dev.berth.control.loop.PodDeletion;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.lifecycle.GarbageRules;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Kinds;
import dev.berth.model.workqueue.WorkResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Deletes the oldest terminated pods beyond a limit, and terminating pods that were never
/// scheduled.
public final class PodGarbageCollector extends KeyedControlLoop<Optional<ObjectRef>> {

    public static final String NAME = "pod-garbage-collector-controller";

    private static final Duration PERIOD = Duration.ofSeconds(20);

    private final PodDeletion deletion;
    private final ObjectCache<Pod> pods;
    private final int kept;

    /// @param kept number of terminated pods that are kept
    public PodGarbageCollector(Cluster cluster, SharedCaches caches, int kept) {
        this.deletion = new PodDeletion(cluster);
        this.pods = needs(caches.of(Kinds.POD));
        this.kept = kept;
        pods.addListener(
                Listener.of((_, after) ->
                        after.filter(GarbageRules::isTerminatingUnscheduled)
                                .ifPresent(pod -> add(Optional.of(pod.ref())))));
        add(Optional.empty());
    }

    @Override
    protected WorkResult reconcile(Optional<ObjectRef> key, Instant now) {
        if (key.isPresent()) {
            return pods.find(key.get())
                    .filter(GarbageRules::isTerminatingUnscheduled)
                    .map(pod -> deletion.deleteNow(pod, Optional.empty(), now))
                    .orElse(WorkResult.DONE);
        }
        for (var pod : GarbageRules.excessTerminated(pods.all(), kept)) {
            if (deletion.deleteNow(pod, Optional.empty(), now) instanceof WorkResult.Retry retry) {
                return retry;
            }
        }
        return new WorkResult.RequeueAt(now.plus(PERIOD));
    }
}
