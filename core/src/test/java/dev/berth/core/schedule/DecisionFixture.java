package dev.berth.core.schedule;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.explain.ClusterObjects;
import dev.berth.core.explain.ExplainOptions;
import dev.berth.core.explain.Explainer;
import dev.berth.core.inventory.Pool;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.ClusterVolumes;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodGroup;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.storage.PersistentVolume;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.api.storage.StorageClass;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/// A live cluster in YAML and a decider for its pods.
final class DecisionFixture {

    private PlacementDecider decider = decider(PlacementPolicy.KUBERNETES);
    private final List<ResourceSlice> slices = new ArrayList<>();
    private ClusterSnapshot snapshot = ClusterSnapshot.empty(new Pool.Rules(true, true));

    static DecisionFixture of(String... documents) {
        var fixture = new DecisionFixture();
        for (var document : documents) {
            fixture.add(document);
        }
        return fixture;
    }

    private static PlacementDecider decider(PlacementPolicy policy) {
        return new PlacementDecider(
                new PlacementDecider.Options(
                        EnumSet.allOf(AllocatorFeature.class),
                        policy,
                        ClaimInspection.DEFAULT_BINDING_TIMEOUT,
                        true,
                        () -> "share"),
                new Allocator(Allocator.DEFAULT_BUDGET));
    }

    /// The same with another policy.
    DecisionFixture by(PlacementPolicy policy) {
        decider = decider(policy);
        return this;
    }

    DecisionFixture add(String yaml) {
        snapshot =
                switch (read(yaml)) {
                    case Node node -> snapshot.with(node);
                    case Pod pod -> snapshot.with(pod);
                    case ResourceSlice slice -> {
                        slices.add(slice);
                        yield snapshot.with(slice);
                    }
                    case ResourceClaim claim -> snapshot.with(claim);
                    case DeviceClass one -> snapshot.with(one);
                    case PodGroup group -> snapshot.with(snapshot.context().with(group));
                    case PersistentVolumeClaim claim -> with(storage().with(claim));
                    case PersistentVolume volume -> with(storage().with(volume));
                    case StorageClass one -> with(storage().with(one));
                    case KubernetesObject other -> throw new IllegalArgumentException(other + "");
                };
        return this;
    }

    ClusterVolumes storage() {
        return snapshot.context().storage().complete(true);
    }

    private ClusterSnapshot with(ClusterVolumes storage) {
        return snapshot.with(snapshot.context().with(storage));
    }

    static Pod pod(String yaml) {
        return (Pod) read(yaml);
    }

    static ResourceClaim claim(String yaml) {
        return (ResourceClaim) read(yaml);
    }

    private static KubernetesObject read(String yaml) {
        if (!(YamlReader.read(yaml) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException(yaml);
        }
        var tree = (JsonObject) documents.getFirst().root();
        return new Codec().readTree(tree, UnknownFieldPolicy.STRICT).orThrow();
    }

    ClusterSnapshot snapshot() {
        return snapshot;
    }

    SchedulingDecision decide(Pod pod) {
        return decide(pod, snapshot);
    }

    SchedulingDecision decide(Pod pod, ClusterSnapshot current) {
        return decider.decide(pod, current, Instant.EPOCH);
    }

    /// The first sentence of the explanation of a pending pod; empty when it fits.
    String cause(Pod pod) {
        var cluster =
                new ClusterObjects(
                        snapshot.inventory().nodes(),
                        List.copyOf(snapshot.inventory().classes().values()),
                        slices,
                        List.of(),
                        List.copyOf(snapshot.usage().claims()),
                        List.of(),
                        List.of(pod),
                        snapshot.context());
        var terms =
                new ExplainOptions(
                        EnumSet.allOf(AllocatorFeature.class),
                        ClaimInspection.DEFAULT_BINDING_TIMEOUT,
                        Instant.EPOCH);
        var sentences =
                new Explainer(new Allocator(Allocator.DEFAULT_BUDGET))
                        .sentences(cluster.ofPod(terms, pod.ref()));
        return sentences.isEmpty() ? "" : sentences.getFirst();
    }

    void forget(Pod pod) {
        snapshot = snapshot.forgetPod(pod.ref());
    }

    /// Decides about a pod that fits, and assumes its placement.
    SchedulingDecision.Placed place(Pod pod) {
        if (!(decide(pod) instanceof SchedulingDecision.Placed placed)) {
            throw new AssertionError(decide(pod));
        }
        snapshot = snapshot.assume(placed.placement());
        return placed;
    }
}
