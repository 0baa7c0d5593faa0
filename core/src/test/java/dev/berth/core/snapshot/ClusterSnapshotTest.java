package dev.berth.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.inventory.Pool;
import dev.berth.core.place.FitCache;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PlacementRules;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.taint.DeviceTaintSelector;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterSnapshotTest {

    private static final Set<AllocatorFeature> FEATURES = Set.of(AllocatorFeature.values());
    private static final Pool.Rules RULES = AllocatorFeature.rules(FEATURES);

    private final FitCache fitCache =
            new FitCache(
                    new PlacementRules(
                            new Allocator(Allocator.DEFAULT_BUDGET),
                            FEATURES,
                            PlacementPolicy.KUBERNETES,
                            () -> "share"));

    /// Two nodes with one GPU each.
    private final ClusterSnapshot two =
            ClusterSnapshot.empty(RULES)
                    .with(SnapshotFixtures.gpuClass())
                    .with(SnapshotFixtures.node("n1"))
                    .with(SnapshotFixtures.node("n2"))
                    .with(SnapshotFixtures.slice("s1", "n1", new NodeScope.OneNode("n1"), "gpu-0"))
                    .with(SnapshotFixtures.slice("s2", "n2", new NodeScope.OneNode("n2"), "gpu-0"));

    @Test
    void aPodFitsWhereThereIsADevice() {
        assertThat(fitting(two, SnapshotFixtures.request("a"))).containsExactly("n1", "n2");
        assertThat(fitting(two.withoutSlice("s1"), SnapshotFixtures.request("a")))
                .containsExactly("n2");
        assertThat(fitting(two.withoutNode("n2"), SnapshotFixtures.request("a")))
                .containsExactly("n1");
        assertThat(fitting(two.withoutClass("gpu"), SnapshotFixtures.request("a"))).isEmpty();
    }

    @Test
    void assumedDevicesAreHeldUntilForgotten() {
        var request = SnapshotFixtures.request("a");
        var assumed = two.assume(request.placement(fit(two, request, "n1")));
        assertThat(fitting(assumed, SnapshotFixtures.request("b"))).containsExactly("n2");
        assertThat(assumed.usage().nodeOf(request.pod().ref())).contains("n1");
        var forgotten =
                assumed.forgetClaim(request.toAllocate().getFirst().ref())
                        .forgetPod(request.pod().ref());
        assertThat(fitting(forgotten, SnapshotFixtures.request("b"))).containsExactly("n1", "n2");
        assertThat(forgotten.usage().nodeOf(request.pod().ref())).isEmpty();
        assertThat(forgotten.usage().claims()).isEmpty();
    }

    @Test
    void anOlderWatchEventDoesNotEndAnAssumption() {
        var request = SnapshotFixtures.request("a");
        var claim = request.toAllocate().getFirst();
        var assumed =
                two.with(claim)
                        .assume(request.placement(fit(two, request, "n1")))
                        .with(claim)
                        .with(request.pod());
        assertThat(fitting(assumed, SnapshotFixtures.request("b"))).containsExactly("n2");
        assertThat(assumed.usage().nodeOf(request.pod().ref())).contains("n1");
        var forgotten = assumed.forgetClaim(claim.ref());
        assertThat(forgotten.usage().claim(claim.ref())).contains(claim);
    }

    @Test
    void anAssumptionEndsWhenTheWatchConfirmsIt() {
        var request = SnapshotFixtures.request("a");
        var claim = request.toAllocate().getFirst();
        var assumed = two.assume(request.placement(fit(two, request, "n1")));
        var held = assumed.usage().claim(claim.ref()).orElseThrow();
        var freed = assumed.with(held).with(held.withStatus(ResourceClaimStatus.EMPTY));
        assertThat(fitting(freed, SnapshotFixtures.request("b"))).containsExactly("n1", "n2");
        assertThat(freed.forgetClaim(claim.ref())).isSameAs(freed);
    }

    @Test
    void anAssumptionEndsWithItsClaimAndItsPod() {
        var request = SnapshotFixtures.request("a");
        var claim = request.toAllocate().getFirst().ref();
        var assumed = two.assume(request.placement(fit(two, request, "n1")));
        var gone = assumed.withoutClaim(claim).withoutPod(request.pod().ref());
        assertThat(fitting(gone, SnapshotFixtures.request("b"))).containsExactly("n1", "n2");
        assertThat(gone.forgetClaim(claim).forgetPod(request.pod().ref())).isSameAs(gone);
    }

    @Test
    void forgettingAPodRemovesItsReservationOfASharedClaim() {
        var first = SnapshotFixtures.request("a");
        var assumed = two.assume(first.placement(fit(two, first, "n1")));
        var shared = assumed.usage().claim(first.toAllocate().getFirst().ref()).orElseThrow();
        var second =
                new PlacementRequest(
                        SnapshotFixtures.request("b").pod(), List.of(shared), List.of());
        var both = assumed.assume(second.placement(fit(assumed, second, "n1")));
        assertThat(both.usage().claim(shared.ref()).orElseThrow().status().reservedFor())
                .hasSize(2);
        var one = both.forgetPod(second.pod().ref());
        assertThat(one.usage().claim(shared.ref())).contains(shared);
    }

    @Test
    void withoutAPodItsDevicesAreFree() {
        var request = SnapshotFixtures.request("a");
        var assumed = two.assume(request.placement(fit(two, request, "n1")));
        var without = assumed.without(List.of(request.pod().ref()));
        assertThat(fitting(assumed, SnapshotFixtures.request("b"))).containsExactly("n2");
        assertThat(fitting(without, SnapshotFixtures.request("b"))).containsExactly("n1", "n2");
        assertThat(without.changesSince(assumed)).containsExactly("n1");
    }

    @Test
    void withoutOneOfTwoConsumersAClaimKeepsItsDevices() {
        var first = SnapshotFixtures.request("a");
        var assumed = two.assume(first.placement(fit(two, first, "n1")));
        var shared = assumed.usage().claim(first.toAllocate().getFirst().ref()).orElseThrow();
        var second =
                new PlacementRequest(
                        SnapshotFixtures.pod("b", shared.metadata().name()),
                        List.of(shared),
                        List.of());
        var both = assumed.assuming(List.of(second.placement(fit(assumed, second, "n1"))));
        assertThat(fitting(both.without(List.of(first.pod().ref())), SnapshotFixtures.request("c")))
                .containsExactly("n2");
        var pods = List.of(first.pod().ref(), second.pod().ref());
        assertThat(fitting(both.without(pods), SnapshotFixtures.request("c")))
                .containsExactly("n1", "n2");
    }

    @Test
    void withNodesAddsThemAndTheirSlices() {
        var slice = SnapshotFixtures.slice("s3", "n3", new NodeScope.OneNode("n3"), "gpu-0");
        var more = two.withNodes(List.of(SnapshotFixtures.node("n3")), List.of(slice));
        assertThat(fitting(more, SnapshotFixtures.request("a"))).containsExactly("n1", "n2", "n3");
        assertThat(more.changesSince(two)).containsExactly("n3");
    }

    @Test
    void aTaintRuleAppliesUntilDeleted() {
        var rule =
                SnapshotFixtures.rule(
                        new DeviceTaintSelector(
                                Optional.empty(), Optional.of("n1"), Optional.empty()));
        var tainted = two.with(rule);
        assertThat(fitting(tainted, SnapshotFixtures.request("a"))).containsExactly("n2");
        var later =
                tainted.with(
                        SnapshotFixtures.slice("s1", "n1", new NodeScope.OneNode("n1"), "gpu-0"));
        assertThat(fitting(later, SnapshotFixtures.request("a"))).containsExactly("n2");
        assertThat(fitting(later.withoutTaintRule("rule"), SnapshotFixtures.request("a")))
                .containsExactly("n1", "n2");
    }

    @Test
    void remainingCountersAreComputed() {
        var snapshot = two;
        for (var slice : SnapshotFixtures.halves("n1")) {
            snapshot = snapshot.with(slice);
        }
        var request = SnapshotFixtures.request("a");
        var assumed =
                snapshot.withoutSlice("s1")
                        .assume(request.placement(fit(snapshot.withoutSlice("s1"), request, "n1")));
        var pool = assumed.inventory().pools("n1").getFirst();
        assertThat(snapshot.usage().countersLeft(pool)).containsExactly(BigInteger.TWO);
        assertThat(assumed.usage().countersLeft(pool)).containsExactly(BigInteger.ONE);
    }

    @Test
    void onlyAffectedNodesAreEvaluatedAgain() {
        var request = SnapshotFixtures.request("a");
        assertThat(two.with(SnapshotFixtures.node("n1")).changesSince(two)).containsExactly("n1");
        assertThat(two.withoutSlice("s2").changesSince(two)).containsExactly("n2");
        assertThat(two.assume(request.placement(fit(two, request, "n1"))).changesSince(two))
                .containsExactly("n1");
        assertThat(two.with(request.toAllocate().getFirst()).changesSince(two)).isEmpty();
        var rule =
                SnapshotFixtures.rule(
                        new DeviceTaintSelector(
                                Optional.empty(), Optional.of("n1"), Optional.empty()));
        assertThat(two.with(rule).changesSince(two)).containsExactly("n1");
    }

    @Test
    void aChangeOfASharedPoolAffectsAllNodes() {
        var network =
                two.with(SnapshotFixtures.slice("net", "net", new NodeScope.AllNodes(), "gpu-9"));
        assertThat(network.changesSince(two)).containsExactly("n1", "n2");
        assertThat(fitting(network.withoutSlice("s1"), SnapshotFixtures.request("a")))
                .containsExactly("n1", "n2");
    }

    @Test
    void aSliceThatMovesToAnotherPoolLeavesItsOldOne() {
        var moved =
                two.with(SnapshotFixtures.slice("s1", "n2b", new NodeScope.OneNode("n2"), "gpu-1"));
        assertThat(moved.changesSince(two)).containsExactly("n1", "n2");
        assertThat(moved.inventory().pools("n1")).isEmpty();
        assertThat(moved.inventory().pools("n2")).hasSize(2);
    }

    private List<String> fitting(ClusterSnapshot snapshot, PlacementRequest request) {
        return fitCache.evaluate(request, snapshot).fitting().stream()
                .map(NodeFit.Fits::node)
                .toList();
    }

    private NodeFit.Fits fit(ClusterSnapshot snapshot, PlacementRequest request, String node) {
        return fitCache.evaluate(request, snapshot).fitting().stream()
                .filter(fits -> fits.node().equals(node))
                .findFirst()
                .orElseThrow();
    }
}
