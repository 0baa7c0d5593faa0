package dev.berth.core.utilisation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.DeviceOrder;
import dev.berth.core.allocate.NodeAllocationRequest;
import dev.berth.core.allocate.Samples;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.IncrementalCluster;
import dev.berth.core.testkit.random.RandomAllocation;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Utilisation and what still fits on random clusters, compared with the allocator.
/// `-Dberth.utilisation.clusters=10000` tests more clusters.
class UtilisationPropertyTest {

    private static final int CLUSTERS = Integer.getInteger("berth.utilisation.clusters", 120);
    private static final int MOST_REQUESTS = 12;
    private static final Set<AllocatorFeature> FEATURES = Set.of(AllocatorFeature.values());

    private final Allocator allocator = new Allocator(Allocator.DEFAULT_BUDGET);
    private int shares;

    @Test
    void useIsBetweenNothingAndAllAndAddsUp() {
        var used = 0;
        for (var seed = 0; seed < CLUSTERS; seed++) {
            for (var one : utilisation(cluster(seed)).classes().values()) {
                var total = one.total();
                assertThat(total.inUse())
                        .as("seed %d, class %s", seed, one)
                        .isBetween(0.0, (double) total.devices());
                assertThat(total.percent()).as("seed %d", seed).isBetween(0, 100);
                assertThat(one.namespaces().values().stream().mapToDouble(use -> use).sum())
                        .as("seed %d, class %s", seed, one)
                        .isCloseTo(total.inUse(), within(1e-9));
                assertThat(one.free() + one.partlyUsed() + one.unavailable())
                        .as("seed %d, class %s", seed, one)
                        .isLessThanOrEqualTo(total.devices());
                one.nodes()
                        .forEach((_, node) ->
                                assertThat(node.total().inUse())
                                        .isBetween(0.0, (double) node.total().devices()));
                used += total.inUse() > 0 ? 1 : 0;
            }
        }
        assertThat(used).isGreaterThan(CLUSTERS);
    }

    @Test
    void whatFitsAgreesWithTheAllocator() {
        var exact = 0;
        var several = 0;
        for (var seed = 0; seed < CLUSTERS; seed++) {
            var snapshot = cluster(seed);
            for (var one : utilisation(snapshot).classes().values()) {
                for (var fit : one.fits()) {
                    if (fit.size() instanceof FitSize.OnOneNode(var count)
                            && fit.now() <= MOST_REQUESTS) {
                        var known = allocations(snapshot, one.deviceClass(), count);
                        if (known.isEmpty()) {
                            continue;
                        }
                        assertThat(fit.now())
                                .as("seed %d, class %s, %s", seed, one, fit)
                                .isLessThanOrEqualTo(known.getAsInt());
                        if (fit.isExact()) {
                            assertThat(fit.now())
                                    .as("seed %d, class %s, %s", seed, one, fit)
                                    .isEqualTo(known.getAsInt());
                            exact++;
                            several += fit.now() > 1 ? 1 : 0;
                        }
                        assertThat(fit.together())
                                .as("seed %d, %s", seed, fit)
                                .isGreaterThanOrEqualTo(fit.now());
                    }
                }
            }
        }
        assertThat(exact).isGreaterThan(CLUSTERS);
        assertThat(several).isGreaterThan(CLUSTERS / 4);
    }

    @Test
    void devicesOfOneNumaNodeAgreeWithTheAllocator() {
        var several = 0;
        for (var seed = 0; seed < CLUSTERS; seed++) {
            var snapshot = located(seed);
            var one = utilisation(snapshot).of("any").orElseThrow();
            for (var fit : one.fits()) {
                if (fit.size() instanceof FitSize.OnOneNumaNode(var count)) {
                    var known = numaAllocations(snapshot, count);
                    assertThat(fit.isExact()).isTrue();
                    assertThat(fit.now()).as("seed %d, %s", seed, fit).isEqualTo(known);
                    several += known > 1 && count > 1 ? 1 : 0;
                }
            }
        }
        assertThat(several).isGreaterThan(CLUSTERS / 10);
    }

    @Test
    void releasingNeverReducesWhatFits() {
        var more = 0;
        for (var seed = 0; seed < CLUSTERS; seed++) {
            var snapshot = cluster(seed);
            var before = utilisation(snapshot);
            for (var claim : snapshot.usage().claims()) {
                var free = snapshot.with(claim.withStatus(ResourceClaimStatus.EMPTY));
                var after = utilisation(free);
                for (var one : before.classes().values()) {
                    for (var fit : one.fits()) {
                        var later = after.of(one.deviceClass()).orElseThrow().fit(fit.size());
                        if (fit.isExact() && later.orElseThrow().isExact()) {
                            assertThat(later.orElseThrow().now())
                                    .as("seed %d, claim %s, %s", seed, claim.ref(), fit)
                                    .isGreaterThanOrEqualTo(fit.now());
                            more += later.orElseThrow().now() > fit.now() ? 1 : 0;
                        }
                    }
                }
            }
        }
        assertThat(more).isGreaterThan(CLUSTERS / 4);
    }

    @Test
    void keptResultsEqualNewOnes() {
        for (var seed = 0; seed < CLUSTERS / 4; seed++) {
            var cluster = new IncrementalCluster(seed);
            var kept = new UtilisationCalculator(allocator, FEATURES);
            for (var fold = 0; fold < 20; fold++) {
                cluster.foldSomething();
                assertThat(kept.of(cluster.snapshot()))
                        .as("seed %d, fold %d", seed, fold)
                        .isEqualTo(utilisation(cluster.snapshot()));
            }
        }
    }

    private ClusterUtilisation utilisation(ClusterSnapshot snapshot) {
        return new UtilisationCalculator(allocator, FEATURES).of(snapshot);
    }

    /// A cluster of one node, with claims of several namespaces.
    private ClusterSnapshot cluster(long seed) {
        var base = RandomAllocation.of(seed);
        var snapshot =
                ClusterSnapshot.empty(AllocatorFeature.rules(FEATURES))
                        .with(base.node())
                        .with(base.slices());
        for (var one : base.classes()) {
            snapshot = snapshot.with(one);
        }
        for (var i = 0; i < 4; i++) {
            var number = i;
            var claims =
                    RandomAllocation.of(seed * 7 + i).claims().stream()
                            .map(claim -> named(claim, "ns-" + number % 3, "claim-" + number))
                            .toList();
            snapshot = allocated(snapshot, claims);
        }
        return snapshot;
    }

    private static ResourceClaim named(ResourceClaim claim, String namespace, String name) {
        var full = name + "-" + claim.metadata().name();
        return new ResourceClaim(ObjectMeta.of(namespace, full), claim.spec(), claim.status());
    }

    private ClusterSnapshot allocated(ClusterSnapshot snapshot, List<ResourceClaim> claims) {
        var next = snapshot;
        if (allocate(snapshot, claims) instanceof AllocationOutcome.Allocated(var results, _)) {
            for (var i = 0; i < results.size(); i++) {
                next =
                        next.with(
                                claims.get(i)
                                        .withStatus(
                                                new ResourceClaimStatus(
                                                        Optional.of(results.get(i)),
                                                        List.of(),
                                                        List.of())));
            }
        }
        return next;
    }

    private AllocationOutcome allocate(ClusterSnapshot snapshot, List<ResourceClaim> claims) {
        var node = snapshot.inventory().nodes().getFirst();
        var pools = snapshot.inventory().pools(node.name());
        var request =
                new NodeAllocationRequest(
                        node,
                        pools,
                        snapshot.inventory().classes(),
                        FEATURES,
                        snapshot.usage().holdings(pools),
                        claims,
                        DeviceOrder.FIRST,
                        true);
        return allocator.allocate(request, () -> "share-" + shares++).outcome();
    }

    /// The largest number of claims for so many devices of a class that can be allocated together;
    /// empty when the allocator fails or gives up.
    private OptionalInt allocations(ClusterSnapshot snapshot, String deviceClass, int count) {
        for (var number = 1; number <= MOST_REQUESTS + 1; number++) {
            var claims = new ArrayList<ResourceClaim>();
            for (var i = 0; i < number; i++) {
                claims.add(named(Samples.claim(deviceClass, count), "default", "fit-" + i));
            }
            switch (allocate(snapshot, claims)) {
                case AllocationOutcome.Allocated _ -> {}
                case AllocationOutcome.DoesNotFit _ -> {
                    return OptionalInt.of(number - 1);
                }
                case AllocationOutcome.Failed(_, var isNodeLocal, _) -> {
                    return isNodeLocal ? OptionalInt.of(number - 1) : OptionalInt.empty();
                }
                case AllocationOutcome.Undecided _ -> {
                    return OptionalInt.empty();
                }
            }
        }
        return OptionalInt.empty();
    }

    /// A node with up to 16 devices on two NUMA nodes, some of them allocated.
    private ClusterSnapshot located(long seed) {
        var random = new Random(seed * 0x9E3779B97F4A7C15L);
        var devices = new ArrayList<Device>();
        for (var i = 2 + random.nextInt(15); i > 0; i--) {
            var numaNode = new AttributeValue.IntValue(random.nextInt(2));
            devices.add(Device.named("gpu-" + i).withAttributes(Map.of(NUMA_NODE, numaNode)));
        }
        var snapshot =
                ClusterSnapshot.empty(AllocatorFeature.rules(FEATURES))
                        .with(Samples.node("node-1"))
                        .with(Samples.anyClass("any"))
                        .with(Samples.slices(devices, List.of()));
        var held = List.of(named(Samples.claim("any", 1 + random.nextInt(4)), "default", "held"));
        return allocated(snapshot, held);
    }

    private static final String NUMA_NODE = "resource.kubernetes.io/numaNode";

    private static ResourceClaim onOneNumaNode(int count, String name) {
        var claim = named(Samples.claim("any", count), "default", name);
        var constraint =
                new DeviceConstraint.MatchAttribute(List.of(), NUMA_NODE, Optional.empty());
        return new ResourceClaim(
                claim.metadata(),
                new ResourceClaimSpec(claim.spec().requests(), List.of(constraint), List.of()),
                claim.status());
    }

    private int numaAllocations(ClusterSnapshot snapshot, int count) {
        var claims = new ArrayList<ResourceClaim>();
        do {
            claims.add(onOneNumaNode(count, "fit-" + claims.size()));
        } while (allocate(snapshot, claims) instanceof AllocationOutcome.Allocated);
        return claims.size() - 1;
    }
}
