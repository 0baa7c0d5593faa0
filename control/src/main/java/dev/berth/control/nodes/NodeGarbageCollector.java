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
import dev.berth.control.loop.ReconcileResult;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.lifecycle.GarbageRules;
import dev.berth.model.api.Node;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.codec.Kinds;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Deletes what belongs to nodes that are gone: nobody is left who would.
///
/// A node has to be missing for a while, since its slices or pods may be heard of before it is.
public final class NodeGarbageCollector extends KeyedControlLoop<String> {

    private static final Duration QUARANTINE = Duration.ofSeconds(40);

    private static final PodDeletion.Reason GONE =
            new PodDeletion.Reason("DeletionByPodGC", "PodGC: node no longer exists");

    /// What is deleted.
    public enum Sweep {
        PODS,
        SLICES
    }

    private final Cluster cluster;
    private final Clock clock;
    private final Set<Sweep> sweeps;
    private final PodDeletion deletion;
    private final ObjectCache<Node> nodes;
    private final CacheIndex<String, Pod> podsByNode;
    private final CacheIndex<String, ResourceSlice> slicesByNode;
    private final Map<String, Instant> missedSince = new ConcurrentHashMap<>();

    public NodeGarbageCollector(
            Cluster cluster, SharedCaches mirrors, Set<Sweep> sweeps, Clock clock) {
        this.cluster = cluster;
        this.clock = clock;
        this.sweeps = Set.copyOf(sweeps);
        this.deletion = new PodDeletion(cluster);
        this.nodes = needs(mirrors.of(Kinds.NODE));
        var pods = needs(mirrors.of(Kinds.POD));
        var slices = needs(mirrors.of(Kinds.RESOURCE_SLICE));
        this.podsByNode = pods.index(pod -> GarbageRules.nodeOf(pod).stream().toList());
        this.slicesByNode = slices.index(slice -> GarbageRules.nodeOf(slice).stream().toList());
        nodes.addListener(Listener.of((before, after) -> onNode(before, after)));
        pods.addListener(
                Listener.of(
                        (_, after) -> after.flatMap(GarbageRules::nodeOf).ifPresent(this::look)));
        slices.addListener(
                Listener.of(
                        (_, after) -> after.flatMap(GarbageRules::nodeOf).ifPresent(this::look)));
    }

    private void onNode(Optional<Node> before, Optional<Node> after) {
        if (after.isPresent()) {
            missedSince.remove(after.get().name());
        } else {
            before.ifPresent(node -> look(node.name()));
        }
    }

    private void look(String node) {
        if (nodes.find(new ObjectRef("", node)).isEmpty()) {
            missedSince.putIfAbsent(node, clock.instant());
            add(node);
        }
    }

    @Override
    protected ReconcileResult work(String node, Instant now) {
        var ref = new ObjectRef("", node);
        var since = missedSince.get(node);
        if (since == null || nodes.find(ref).isPresent()) {
            missedSince.remove(node);
            return ReconcileResult.DONE;
        }
        var sure = since.plus(QUARANTINE);
        if (sure.isAfter(now)) {
            return new ReconcileResult.RequeueAt(sure);
        }
        return switch (cluster.send(new Request.Get(ResourcePath.of(Kinds.NODE), "", node))) {
            case RequestResult.Missing _ -> sweep(node, now);
            case RequestResult.Done _ -> ReconcileResult.DONE;
            case RequestResult other -> new ReconcileResult.Retry(other.message());
        };
    }

    private ReconcileResult sweep(String node, Instant now) {
        ReconcileResult verdict = ReconcileResult.DONE;
        if (sweeps.contains(Sweep.PODS)) {
            for (var pod : podsByNode.find(node)) {
                verdict = worse(verdict, deletion.deleteNow(pod, Optional.of(GONE), now));
            }
        }
        if (sweeps.contains(Sweep.SLICES)) {
            for (var slice : slicesByNode.find(node)) {
                verdict = worse(verdict, delete(slice));
            }
        }
        return verdict;
    }

    private static ReconcileResult worse(ReconcileResult one, ReconcileResult other) {
        return one instanceof ReconcileResult.Done ? other : one;
    }

    private ReconcileResult delete(ResourceSlice slice) {
        return ReconcileResult.of(
                cluster.send(
                        new Request.Delete(
                                ResourcePath.of(Kinds.RESOURCE_SLICE),
                                "",
                                slice.metadata().name(),
                                Optional.of(slice.metadata().uid().value()),
                                OptionalLong.empty())));
    }
}
