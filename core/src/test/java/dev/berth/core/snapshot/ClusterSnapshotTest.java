package dev.berth.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.allocate.SearchPolicy;
import dev.berth.core.inventory.Pool;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementRequest;
import dev.berth.model.api.DeviceTaintSelector;
import dev.berth.model.api.NodeScope;
import dev.berth.model.api.ResourceClaimStatus;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterSnapshotTest {

    private static final Set<AllocatorFeature> FEATURES = Set.of(AllocatorFeature.values());
    private static final Pool.Rules RULES = AllocatorFeature.rules(FEATURES);

    private final FitCache judge =
            new FitCache(
                    new Allocator(Allocator.DEFAULT_BUDGET),
                    FEATURES,
                    SearchPolicy.KUBERNETES,
                    () -> "share");

    /// Two nodes with one GPU each.
    private final ClusterSnapshot two =
            ClusterSnapshot.empty(RULES)
                    .with(Small.gpuClass())
                    .with(Small.node("n1"))
                    .with(Small.node("n2"))
                    .with(Small.slice("s1", "n1", new NodeScope.OneNode("n1"), "gpu-0"))
                    .with(Small.slice("s2", "n2", new NodeScope.OneNode("n2"), "gpu-0"));

    @Test
    void aPodFitsWhereThereIsADevice() {
        assertThat(fitting(two, Small.question("a"))).containsExactly("n1", "n2");
        assertThat(fitting(two.withoutSlice("s1"), Small.question("a"))).containsExactly("n2");
        assertThat(fitting(two.withoutNode("n2"), Small.question("a"))).containsExactly("n1");
        assertThat(fitting(two.withoutClass("gpu"), Small.question("a"))).isEmpty();
    }

    @Test
    void whatIsAssumedIsTakenUntilItIsForgotten() {
        var question = Small.question("a");
        var assumed = two.assume(question, fit(two, question, "n1"));
        assertThat(fitting(assumed, Small.question("b"))).containsExactly("n2");
        assertThat(assumed.occupancy().nodeOf(question.pod().ref())).contains("n1");
        var forgotten =
                assumed.forgetClaim(question.wanted().getFirst().ref())
                        .forgetPod(question.pod().ref());
        assertThat(fitting(forgotten, Small.question("b"))).containsExactly("n1", "n2");
        assertThat(forgotten.occupancy().nodeOf(question.pod().ref())).isEmpty();
        assertThat(forgotten.occupancy().claims()).isEmpty();
    }

    @Test
    void anOldStateThatAWatchShowsEndsNoAssumption() {
        var question = Small.question("a");
        var claim = question.wanted().getFirst();
        var assumed =
                two.with(claim)
                        .assume(question, fit(two, question, "n1"))
                        .with(claim)
                        .with(question.pod());
        assertThat(fitting(assumed, Small.question("b"))).containsExactly("n2");
        assertThat(assumed.occupancy().nodeOf(question.pod().ref())).contains("n1");
        var forgotten = assumed.forgetClaim(claim.ref());
        assertThat(forgotten.occupancy().claim(claim.ref())).contains(claim);
    }

    @Test
    void anAssumptionEndsWhenTheWatchShowsIt() {
        var question = Small.question("a");
        var claim = question.wanted().getFirst();
        var assumed = two.assume(question, fit(two, question, "n1"));
        var held = assumed.occupancy().claim(claim.ref()).orElseThrow();
        var freed = assumed.with(held).with(held.withStatus(ResourceClaimStatus.EMPTY));
        assertThat(fitting(freed, Small.question("b"))).containsExactly("n1", "n2");
        assertThat(freed.forgetClaim(claim.ref())).isSameAs(freed);
    }

    @Test
    void anAssumptionEndsWithItsClaimAndItsPod() {
        var question = Small.question("a");
        var claim = question.wanted().getFirst().ref();
        var assumed = two.assume(question, fit(two, question, "n1"));
        var gone = assumed.withoutClaim(claim).withoutPod(question.pod().ref());
        assertThat(fitting(gone, Small.question("b"))).containsExactly("n1", "n2");
        assertThat(gone.forgetClaim(claim).forgetPod(question.pod().ref())).isSameAs(gone);
    }

    @Test
    void aClaimThatIsSharedIsNoLongerUsedByAPodThatIsForgotten() {
        var first = Small.question("a");
        var assumed = two.assume(first, fit(two, first, "n1"));
        var shared = assumed.occupancy().claim(first.wanted().getFirst().ref()).orElseThrow();
        var second = new PlacementRequest(Small.question("b").pod(), List.of(shared), List.of());
        var both = assumed.assume(second, fit(assumed, second, "n1"));
        assertThat(both.occupancy().claim(shared.ref()).orElseThrow().status().reservedFor())
                .hasSize(2);
        var one = both.forgetPod(second.pod().ref());
        assertThat(one.occupancy().claim(shared.ref())).contains(shared);
    }

    @Test
    void canBeAskedAsIfSomeClaimsWereGone() {
        var question = Small.question("a");
        var assumed = two.assume(question, fit(two, question, "n1"));
        var without = assumed.withoutHolders(List.of(question.wanted().getFirst().ref()));
        assertThat(fitting(without, Small.question("b"))).containsExactly("n1", "n2");
        assertThat(fitting(assumed, Small.question("b"))).containsExactly("n2");
    }

    @Test
    void aRuleTaintsWhatItSelectsUntilItIsGone() {
        var rule =
                Small.rule(
                        new DeviceTaintSelector(
                                Optional.empty(), Optional.of("n1"), Optional.empty()));
        var tainted = two.with(rule);
        assertThat(fitting(tainted, Small.question("a"))).containsExactly("n2");
        var later = tainted.with(Small.slice("s1", "n1", new NodeScope.OneNode("n1"), "gpu-0"));
        assertThat(fitting(later, Small.question("a"))).containsExactly("n2");
        assertThat(fitting(later.withoutTaintRule("rule"), Small.question("a")))
                .containsExactly("n1", "n2");
    }

    @Test
    void knowsWhatIsLeftOfCounters() {
        var snapshot = two;
        for (var slice : Small.halves("n1")) {
            snapshot = snapshot.with(slice);
        }
        var question = Small.question("a");
        var assumed =
                snapshot.withoutSlice("s1")
                        .assume(question, fit(snapshot.withoutSlice("s1"), question, "n1"));
        var pool = assumed.fleet().pools("n1").getFirst();
        assertThat(snapshot.occupancy().countersLeft(pool)).containsExactly(BigInteger.TWO);
        assertThat(assumed.occupancy().countersLeft(pool)).containsExactly(BigInteger.ONE);
    }

    @Test
    void onlyNodesThatAChangeIsAboutAreAskedAgain() {
        var question = Small.question("a");
        assertThat(two.with(Small.node("n1")).changesSince(two)).containsExactly("n1");
        assertThat(two.withoutSlice("s2").changesSince(two)).containsExactly("n2");
        assertThat(two.assume(question, fit(two, question, "n1")).changesSince(two))
                .containsExactly("n1");
        assertThat(two.with(question.wanted().getFirst()).changesSince(two)).isEmpty();
        var rule =
                Small.rule(
                        new DeviceTaintSelector(
                                Optional.empty(), Optional.of("n1"), Optional.empty()));
        assertThat(two.with(rule).changesSince(two)).containsExactly("n1");
    }

    @Test
    void aPoolForAllNodesIsAboutAllOfThem() {
        var network = two.with(Small.slice("net", "net", new NodeScope.AllNodes(), "gpu-9"));
        assertThat(network.changesSince(two)).containsExactly("n1", "n2");
        assertThat(fitting(network.withoutSlice("s1"), Small.question("a")))
                .containsExactly("n1", "n2");
    }

    @Test
    void aSliceThatMovesToAnotherPoolLeavesItsOldOne() {
        var moved = two.with(Small.slice("s1", "n2b", new NodeScope.OneNode("n2"), "gpu-1"));
        assertThat(moved.changesSince(two)).containsExactly("n1", "n2");
        assertThat(moved.fleet().pools("n1")).isEmpty();
        assertThat(moved.fleet().pools("n2")).hasSize(2);
    }

    @Test
    void verdictsThatNothingHasChangedAreKept() {
        var before = judge.judge(Small.question("a"), two);
        var after = judge.judge(Small.question("b"), two.withoutSlice("s2"));
        assertThat(after.statements().find("n1"))
                .containsSame(before.statements().find("n1").orElseThrow());
        assertThat(after.verdict("n2").orElseThrow()).isInstanceOf(NodeFit.Unfit.class);
    }

    @Test
    void messagesNameTheClaimsOfThePodThatAsks() {
        var without = two.withoutClass("gpu");
        judge.judge(Small.question("a"), without);
        var again = judge.judge(Small.question("b"), without).verdicts().getFirst();
        assertThat(again.toString()).contains("default/b").doesNotContain("default/a");
    }

    private List<String> fitting(ClusterSnapshot snapshot, PlacementRequest question) {
        return judge.judge(question, snapshot).fitting().stream().map(NodeFit.Fits::node).toList();
    }

    private NodeFit.Fits fit(ClusterSnapshot snapshot, PlacementRequest question, String node) {
        return judge.judge(question, snapshot).fitting().stream()
                .filter(fits -> fits.node().equals(node))
                .findFirst()
                .orElseThrow();
    }
}
