package dev.berth.core.snapshot;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.ledger.Holdings;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.taint.TaintRules;
import dev.berth.core.testkit.random.RandomAllocation;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.node.NodeSpec;
import dev.berth.model.api.node.NodeStatus;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodSpec;
import dev.berth.model.api.pod.PodStatus;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.api.taint.DeviceTaintRuleSpec;
import dev.berth.model.api.taint.DeviceTaintSelector;
import dev.berth.model.api.taint.TaintEffect;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/// A random cluster in two forms: a snapshot with incremental changes, and the current plain
/// objects.
public final class IncrementalCluster {

    private static final List<String> NODES = List.of("node-1", "node-2", "node-3");

    private final Random random;
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, ResourceSlice> slices = new TreeMap<>();
    private final Map<String, DeviceClass> classes = new TreeMap<>();
    private final Map<String, DeviceTaintRule> rules = new TreeMap<>();
    private final Map<ObjectRef, ResourceClaim> claims = new TreeMap<>();
    private final List<PlacedPod> fits = new ArrayList<>();
    private ClusterSnapshot snapshot =
            ClusterSnapshot.empty(AllocatorFeature.rules(Set.of(AllocatorFeature.values())));

    /// A node fit of a request.
    private record PlacedPod(PlacementRequest request, NodeFit.Fits fits) {}

    public IncrementalCluster(long seed) {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        NODES.forEach(this::foldNode);
        RandomAllocation.of(seed).classes().forEach(this::foldClass);
        for (var i = 0; i < 3; i++) {
            foldSlices();
        }
    }

    public Random random() {
        return random;
    }

    public ClusterSnapshot snapshot() {
        return snapshot;
    }

    /// The equivalent self-contained allocation request. An additional empty claim prevents the
    /// single-device fast path.
    AllocationRequest request(
            Set<AllocatorFeature> features, String node, PlacementRequest request) {
        var toAllocate = new ArrayList<>(request.toAllocate());
        toAllocate.add(
                new ResourceClaim(
                        ObjectMeta.of("default", "nothing"),
                        new ResourceClaimSpec(List.of(), List.of(), List.of()),
                        ResourceClaimStatus.EMPTY));
        return new AllocationRequest(
                features,
                Optional.ofNullable(nodes.get(node)).orElseThrow(),
                List.copyOf(classes.values()),
                // An error names the first malformed pool, and a snapshot has pools by ID.
                slices.values().stream()
                        .sorted(Comparator.comparing(ResourceSlice::poolId))
                        .map(s -> TaintRules.apply(s, rules.values()))
                        .toList(),
                Holdings.of(claims.values()),
                toAllocate);
    }

    public void rememberFit(PlacementRequest request, NodeFit.Fits fit) {
        fits.add(new PlacedPod(request, fit));
    }

    public void foldSomething() {
        var roll = random.nextInt(100);
        if (roll < 30) {
            foldSlices();
        } else if (roll < 40) {
            dropSlice();
        } else if (roll < 70) {
            allocate();
        } else if (roll < 82) {
            release();
        } else if (roll < 90) {
            foldRule();
        } else if (roll < 96) {
            var name = NODES.get(random.nextInt(NODES.size()));
            if (nodes.containsKey(name) && random.nextInt(3) == 0) {
                nodes.remove(name);
                snapshot = snapshot.withoutNode(name);
            } else {
                foldNode(name);
            }
        } else {
            var all = RandomAllocation.of(random.nextInt(1_000)).classes();
            foldClass(all.get(random.nextInt(all.size())));
        }
    }

    private void foldNode(String name) {
        var labels =
                Map.of(
                        "zone", random.nextBoolean() ? "a" : "b",
                        "cores", random.nextBoolean() ? "2" : "8");
        var node =
                new Node(
                        ObjectMeta.of(name).withLabels(labels),
                        NodeSpec.EMPTY,
                        new NodeStatus(
                                Map.of(),
                                Map.of(),
                                List.of("DRAOptionalNodeOperations"),
                                List.of()));
        nodes.put(name, node);
        snapshot = snapshot.with(node);
    }

    private void foldClass(DeviceClass deviceClass) {
        classes.put(deviceClass.metadata().name(), deviceClass);
        snapshot = snapshot.with(deviceClass);
    }

    /// Slices of different random clusters have the same names, so they replace each other.
    private void foldSlices() {
        var all = RandomAllocation.of(random.nextInt(5_000)).slices();
        if (random.nextBoolean()) {
            all.forEach(slice -> slices.put(slice.metadata().name(), slice));
            snapshot = snapshot.with(all);
            return;
        }
        var one = all.get(random.nextInt(all.size()));
        slices.put(one.metadata().name(), one);
        snapshot = snapshot.with(one);
    }

    private void dropSlice() {
        if (!slices.isEmpty()) {
            var names = List.copyOf(slices.keySet());
            var name = names.get(random.nextInt(names.size()));
            slices.remove(name);
            snapshot = snapshot.withoutSlice(name);
        }
    }

    /// Another claim may hold the devices by now: the ledger must cope with duplicates.
    private void allocate() {
        if (fits.isEmpty()) {
            return;
        }
        var placed = fits.remove(random.nextInt(fits.size()));
        var held = placed.request.placement(placed.fits).claims();
        held.forEach(claim -> claims.put(claim.ref(), claim));
        if (random.nextBoolean()) {
            snapshot = snapshot.assume(placed.request.placement(placed.fits));
            return;
        }
        for (var claim : held) {
            snapshot = snapshot.with(claim);
        }
    }

    /// A claim is deallocated, deleted or, if it was only assumed, restored.
    private void release() {
        if (claims.isEmpty()) {
            return;
        }
        var refs = List.copyOf(claims.keySet());
        var ref = refs.get(random.nextInt(refs.size()));
        var claim = Optional.ofNullable(claims.remove(ref)).orElseThrow();
        if (random.nextInt(3) == 0) {
            snapshot = snapshot.withoutClaim(ref);
            return;
        }
        // An assumed claim overrides older watch events.
        var free = claim.withStatus(ResourceClaimStatus.EMPTY);
        snapshot = snapshot.with(claim).with(free);
    }

    private void foldRule() {
        var name = "rule-" + random.nextInt(3);
        if (rules.containsKey(name) && random.nextBoolean()) {
            rules.remove(name);
            snapshot = snapshot.withoutTaintRule(name);
            return;
        }
        var rule =
                new DeviceTaintRule(
                        ObjectMeta.of(name),
                        new DeviceTaintRuleSpec(
                                random.nextInt(5) == 0
                                        ? Optional.empty()
                                        : Optional.of(
                                                new DeviceTaintSelector(
                                                        some("gpu.example.com"),
                                                        some("pool-a"),
                                                        some("dev-1"))),
                                new DeviceTaint(
                                        "key",
                                        name,
                                        TaintEffect.Known.NO_SCHEDULE,
                                        Optional.empty())),
                        List.of());
        rules.put(name, rule);
        snapshot = snapshot.with(rule);
    }

    private Optional<String> some(String value) {
        return random.nextBoolean() ? Optional.of(value) : Optional.empty();
    }

    /// A pod that requests only devices.
    public static PlacementRequest placementRequest(List<ResourceClaim> claims, String pod) {
        return new PlacementRequest(pod(pod), List.of(), claims);
    }

    /// The same request by another pod.
    public static PlacementRequest renamed(PlacementRequest request, String name) {
        var claims = new ArrayList<ResourceClaim>();
        for (var claim : request.toAllocate()) {
            var ref = "%s-%d".formatted(name, claims.size());
            claims.add(
                    new ResourceClaim(ObjectMeta.of("default", ref), claim.spec(), claim.status()));
        }
        return placementRequest(claims, name);
    }

    private static Pod pod(String name) {
        return new Pod(
                ObjectMeta.of("default", name),
                new PodSpec(
                        "",
                        "",
                        List.of(),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        Map.of(),
                        Map.of(),
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        List.of(),
                        OptionalLong.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        List.of()),
                PodStatus.EMPTY);
    }
}
