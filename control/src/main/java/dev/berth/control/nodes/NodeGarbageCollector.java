package dev.berth.control.nodes;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.CacheIndex;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.cache.ObjectCache.Listener;
import dev.berth.control.loop.KeyedControlLoop;
import dev.berth.control.loop.PodDeletion;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.lifecycle.GarbageRules;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.codec.Kinds;
import dev.berth.model.workqueue.WorkResult;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Deletes the pods and ResourceSlices of deleted nodes, since no kubelet will.
///
/// A node must be missing for a while, since its slices or pods may arrive before the node does.
public final class NodeGarbageCollector extends KeyedControlLoop<String> {

    private static final Duration QUARANTINE = Duration.ofSeconds(40);

    private static final PodDeletion.Reason GONE =
            new PodDeletion.Reason("DeletionByPodGC", "PodGC: node no longer exists");

    /// Kinds of objects to delete.
    public enum Target {
        PODS,
        SLICES
    }

    private final Cluster cluster;
    private final Clock clock;
    private final Set<Target> targets;
    private final PodDeletion deletion;
    private final ObjectCache<Node> nodes;
    private final CacheIndex<String, Pod> podsByNode;
    private final CacheIndex<String, ResourceSlice> slicesByNode;
    private final Map<String, Instant> missingSince = new ConcurrentHashMap<>();

    public NodeGarbageCollector(
            Cluster cluster, SharedCaches caches, Set<Target> targets, Clock clock) {
        this.cluster = cluster;
        this.clock = clock;
        this.targets = Set.copyOf(targets);
        this.deletion = new PodDeletion(cluster);
        this.nodes = needs(caches.of(Kinds.NODE));
        var pods = needs(caches.of(Kinds.POD));
        var slices = needs(caches.of(Kinds.RESOURCE_SLICE));
        this.podsByNode = pods.index(pod -> GarbageRules.nodeOf(pod).stream().toList());
        this.slicesByNode = slices.index(slice -> GarbageRules.nodeOf(slice).stream().toList());
        nodes.addListener(Listener.of((before, after) -> onNode(before, after)));
        pods.addListener(
                Listener.of(
                        (_, after) -> after.flatMap(GarbageRules::nodeOf).ifPresent(this::check)));
        slices.addListener(
                Listener.of(
                        (_, after) -> after.flatMap(GarbageRules::nodeOf).ifPresent(this::check)));
    }

    private void onNode(Optional<Node> before, Optional<Node> after) {
        if (after.isPresent()) {
            missingSince.remove(after.get().name());
        } else {
            before.ifPresent(node -> check(node.name()));
        }
    }

    private void check(String node) {
        if (nodes.find(new ObjectRef("", node)).isEmpty()) {
            missingSince.putIfAbsent(node, clock.instant());
            add(node);
        }
    }

    @Override
    protected WorkResult reconcile(String node, Instant now) {
        var ref = new ObjectRef("", node);
        var since = missingSince.get(node);
        if (since == null || nodes.find(ref).isPresent()) {
            missingSince.remove(node);
            return WorkResult.DONE;
        }
        var due = since.plus(QUARANTINE);
        if (due.isAfter(now)) {
            return new WorkResult.RequeueAt(due);
        }
        return switch (cluster.send(new Request.Get(ResourcePath.of(Kinds.NODE), "", node))) {
            case RequestResult.Missing _ -> collect(node, now);
            case RequestResult.Done _ -> WorkResult.DONE;
            case RequestResult other -> new WorkResult.Retry(other.message());
        };
    }

    private WorkResult collect(String node, Instant now) {
        WorkResult result = WorkResult.DONE;
        if (targets.contains(Target.PODS)) {
            for (var pod : podsByNode.find(node)) {
                result = firstFailure(result, deletion.deleteNow(pod, Optional.of(GONE), now));
            }
        }
        if (targets.contains(Target.SLICES)) {
            for (var slice : slicesByNode.find(node)) {
                result = firstFailure(result, delete(slice));
            }
        }
        return result;
    }

    private static WorkResult firstFailure(WorkResult one, WorkResult other) {
        return one instanceof WorkResult.Done ? other : one;
    }

    private WorkResult delete(ResourceSlice slice) {
        return cluster.send(
                        new Request.Delete(
                                ResourcePath.of(Kinds.RESOURCE_SLICE),
                                "",
                                slice.metadata().name(),
                                Optional.of(slice.metadata().uid().value()),
                                OptionalLong.empty()))
                .asWorkResult();
    }
}
