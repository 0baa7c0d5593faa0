package dev.berth.control.nodes;

import dev.berth.client.Address;
import dev.berth.client.Cluster;
import dev.berth.client.Outcome;
import dev.berth.client.Request;
import dev.berth.client.mirror.Index;
import dev.berth.client.mirror.Mirror;
import dev.berth.client.mirror.Mirror.Listener;
import dev.berth.control.loop.KeyedLoop;
import dev.berth.control.loop.Mirrors;
import dev.berth.control.loop.PodDeletion;
import dev.berth.control.loop.Verdict;
import dev.berth.core.lifecycle.Leftovers;
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
public final class GoneNodesLoop extends KeyedLoop<String> {

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
    private final Mirror<Node> nodes;
    private final Index<String, Pod> podsByNode;
    private final Index<String, ResourceSlice> slicesByNode;
    private final Map<String, Instant> missedSince = new ConcurrentHashMap<>();

    public GoneNodesLoop(Cluster cluster, Mirrors mirrors, Set<Sweep> sweeps, Clock clock) {
        this.cluster = cluster;
        this.clock = clock;
        this.sweeps = Set.copyOf(sweeps);
        this.deletion = new PodDeletion(cluster);
        this.nodes = needs(mirrors.of(Kinds.NODE));
        var pods = needs(mirrors.of(Kinds.POD));
        var slices = needs(mirrors.of(Kinds.RESOURCE_SLICE));
        this.podsByNode = pods.index(pod -> Leftovers.nodeOf(pod).stream().toList());
        this.slicesByNode = slices.index(slice -> Leftovers.nodeOf(slice).stream().toList());
        nodes.listen(Listener.of((before, after) -> onNode(before, after)));
        pods.listen(
                Listener.of((_, after) -> after.flatMap(Leftovers::nodeOf).ifPresent(this::look)));
        slices.listen(
                Listener.of((_, after) -> after.flatMap(Leftovers::nodeOf).ifPresent(this::look)));
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
    protected Verdict work(String node, Instant now) {
        var ref = new ObjectRef("", node);
        var since = missedSince.get(node);
        if (since == null || nodes.find(ref).isPresent()) {
            missedSince.remove(node);
            return Verdict.DONE;
        }
        var sure = since.plus(QUARANTINE);
        if (sure.isAfter(now)) {
            return new Verdict.Again(sure);
        }
        return switch (cluster.send(new Request.Get(Address.of(Kinds.NODE), "", node))) {
            case Outcome.Missing _ -> sweep(node, now);
            case Outcome.Done _ -> Verdict.DONE;
            case Outcome other -> new Verdict.Retry(other.message());
        };
    }

    private Verdict sweep(String node, Instant now) {
        Verdict verdict = Verdict.DONE;
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

    private static Verdict worse(Verdict one, Verdict other) {
        return one instanceof Verdict.Done ? other : one;
    }

    private Verdict delete(ResourceSlice slice) {
        return Verdict.of(
                cluster.send(
                        new Request.Delete(
                                Address.of(Kinds.RESOURCE_SLICE),
                                "",
                                slice.metadata().name(),
                                Optional.of(slice.metadata().uid().value()),
                                OptionalLong.empty())));
    }
}
