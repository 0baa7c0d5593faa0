package dev.berth.control.nodes;

import dev.berth.client.Cluster;
import dev.berth.client.mirror.Mirror;
import dev.berth.client.mirror.Mirror.Listener;
import dev.berth.control.loop.KeyedLoop;
import dev.berth.control.loop.Mirrors;
import dev.berth.control.loop.PodDeletion;
import dev.berth.control.loop.Verdict;
import dev.berth.core.lifecycle.Leftovers;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.codec.Kinds;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Deletes the oldest of the pods that have ended when there are too many, and pods that are going
/// without ever having been on a node.
public final class EndedPodsLoop extends KeyedLoop<Optional<ObjectRef>> {

    public static final String NAME = "pod-garbage-collector-controller";

    private static final Duration PERIOD = Duration.ofSeconds(20);

    private final PodDeletion deletion;
    private final Mirror<Pod> pods;
    private final int kept;

    /// @param kept how many pods that have ended are kept
    public EndedPodsLoop(Cluster cluster, Mirrors mirrors, int kept) {
        this.deletion = new PodDeletion(cluster);
        this.pods = needs(mirrors.of(Kinds.POD));
        this.kept = kept;
        pods.listen(
                Listener.of((_, after) ->
                        after.filter(Leftovers::isGoingUnplaced)
                                .ifPresent(pod -> add(Optional.of(pod.ref())))));
        add(Optional.empty());
    }

    @Override
    protected Verdict work(Optional<ObjectRef> key, Instant now) {
        if (key.isPresent()) {
            return pods.find(key.get())
                    .filter(Leftovers::isGoingUnplaced)
                    .map(pod -> deletion.deleteNow(pod, Optional.empty(), now))
                    .orElse(Verdict.DONE);
        }
        for (var pod : Leftovers.ended(pods.all(), kept)) {
            if (deletion.deleteNow(pod, Optional.empty(), now) instanceof Verdict.Retry retry) {
                return retry;
            }
        }
        return new Verdict.Again(now.plus(PERIOD));
    }
}
