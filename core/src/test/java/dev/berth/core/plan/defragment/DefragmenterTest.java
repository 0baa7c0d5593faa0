package dev.berth.core.plan.defragment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.disruption.DisruptionsAllowed;
import dev.berth.core.place.ClaimResolver;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PlacementRules;
import dev.berth.core.place.PreFilterResult;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.node.NodeSpec;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Executes the steps of plans for random clusters on a snapshot, without the code of the
/// defragmenter, and checks each of them.
class DefragmenterTest {

    private static final int CLUSTERS = 400;
    private static final int BUDGET = 4;
    private static final Set<AllocatorFeature> FEATURES = EnumSet.allOf(AllocatorFeature.class);

    private final PlacementRules rules =
            new PlacementRules(
                    new Allocator(Allocator.DEFAULT_BUDGET),
                    FEATURES,
                    PlacementPolicy.PACK,
                    () -> "share");

    @Test
    void everyStepIsPossibleAndBreaksNoRule() {
        var evictions = 0;
        var chains = 0;
        var unserved = 0;
        for (var seed = 0; seed < CLUSTERS; seed++) {
            var cluster = FragmentedCluster.of(seed);
            var plan = plan(cluster);
            var run = new Replay(cluster, "seed " + seed);
            plan.fitting().forEach(run::schedule);
            plan.steps().forEach(run::execute);
            assertThat(run.cordoned).as("seed %d", seed).isEmpty();
            assertThat(plan.evictions()).as("seed %d", seed).hasSizeLessThanOrEqualTo(BUDGET);
            assertThat(plan.fitting().size() + plan.served().size() + plan.unserved().size())
                    .as("seed %d", seed)
                    .isEqualTo(cluster.pending().size());
            evictions += plan.evictions().size();
            unserved += plan.unserved().size();
            chains += run.deepest > 1 ? 1 : 0;
        }
        assertThat(evictions).isGreaterThan(CLUSTERS / 4);
        assertThat(chains).isPositive();
        assertThat(unserved).isPositive();
    }

    @Test
    void oneEvictionIsProposedWheneverOneIsEnough() {
        var found = 0;
        for (var seed = 0; seed < CLUSTERS; seed++) {
            var cluster = FragmentedCluster.of(seed).withOnePending();
            var plan = plan(cluster);
            if (plan.fitting().isEmpty() && isSolvedByOneEviction(cluster)) {
                found++;
                assertThat(plan.evictions()).as("seed %d", seed).hasSize(1);
            }
        }
        assertThat(found).isGreaterThan(CLUSTERS / 20);
    }

    @Test
    void equalInputsHaveEqualPlans() {
        for (var seed = 0; seed < CLUSTERS / 10; seed++) {
            assertThat(plan(FragmentedCluster.of(seed)).steps())
                    .as("seed %d", seed)
                    .isEqualTo(plan(FragmentedCluster.of(seed)).steps());
        }
    }

    private DefragmentPlan plan(FragmentedCluster cluster) {
        return new Defragmenter(
                        rules,
                        new EvictionRules(cluster.budgets(), cluster.pods()),
                        cluster.pods(),
                        (pod, usage) -> resolver(usage).resolve(pod))
                .plan(
                        snapshot(cluster),
                        cluster.pending().stream().map(RoomRequest::of).toList(),
                        Optional.empty(),
                        BUDGET);
    }

    private static ClaimResolver resolver(ClusterUsage usage) {
        return ClaimResolver.instantiating(
                usage::claim, ClaimResolver.GeneratedClaims.Instantiated.from(List.of()));
    }

    private static ClusterSnapshot snapshot(FragmentedCluster cluster) {
        return ClusterSnapshot.of(
                ClusterInventory.of(
                        cluster.nodes(),
                        cluster.slices(),
                        cluster.classes(),
                        AllocatorFeature.rules(FEATURES)),
                ClusterUsage.of(cluster.pods(), cluster.claims()));
    }

    /// Whether the eviction of a single pod makes room for the pending pod, by trying all.
    private boolean isSolvedByOneEviction(FragmentedCluster cluster) {
        var start = snapshot(cluster);
        var pending = cluster.pending().getFirst();
        var priority = pending.spec().priority().orElse(0);
        for (var pod : cluster.pods()) {
            if (!mayBeEvicted(cluster, start, pod, priority)) {
                continue;
            }
            var node = start.inventory().node(pod.spec().nodeName()).orElseThrow();
            var without = start.without(List.of(pod.ref())).with(unschedulable(node));
            var replaced =
                    start.inventory().nodes().stream()
                            .flatMap(one -> placed(unbound(pod), one, without).stream())
                            .map(after -> after.with(node));
            if (replaced.anyMatch(after -> placed(pending, node, after).isPresent())) {
                return true;
            }
        }
        return false;
    }

    private Optional<ClusterSnapshot> placed(Pod pod, Node node, ClusterSnapshot snapshot) {
        var request = request(pod, snapshot);
        var now = snapshot.inventory().node(node.name()).orElseThrow();
        return rules.evaluation(request, snapshot).fit(now) instanceof NodeFit.Fits fits
                ? Optional.of(snapshot.with(snapshot.usage().with(request.placement(fits))))
                : Optional.empty();
    }

    private static PlacementRequest request(Pod pod, ClusterSnapshot snapshot) {
        return ((PreFilterResult.Ready) resolver(snapshot.usage()).resolve(pod)).request();
    }

    private static Node unschedulable(Node node) {
        return new Node(node.metadata(), new NodeSpec(true, node.spec().taints()), node.status());
    }

    private static Pod unbound(Pod pod) {
        return new Pod(pod.metadata(), pod.spec().withNodeName(""), pod.status().unbound());
    }

    /// The rules for evictions, once more.
    private static boolean mayBeEvicted(
            FragmentedCluster cluster, ClusterSnapshot snapshot, Pod pod, long priority) {
        var owner = pod.metadata().controller();
        var budgets = cluster.budgets().stream().filter(one -> one.selects(pod)).toList();
        return owner.isPresent()
                && !owner.get().kind().equals("DaemonSet")
                && pod.spec().priority().orElse(0) <= priority
                && budgets.size() <= 1
                && budgets.stream()
                        .mapToLong(budget -> DisruptionsAllowed.of(budget, cluster.pods()))
                        .allMatch(allowed -> allowed > 0)
                && PodClaimReferences.all(pod).stream()
                        .map(ref -> snapshot.usage().claim(ref).orElseThrow())
                        .allMatch(claim ->
                                claim.status().reservedFor().stream()
                                        .allMatch(
                                                user -> user.name().equals(pod.metadata().name())));
    }

    /// Executes steps.
    private final class Replay {

        private final FragmentedCluster cluster;
        private final String name;
        private final Set<String> cordoned = new HashSet<>();
        private final Set<ObjectRef> evicted = new HashSet<>();
        private final List<Long> priorities = new ArrayList<>();
        private ClusterSnapshot snapshot;
        private int deepest;

        private Replay(FragmentedCluster cluster, String name) {
            this.cluster = cluster;
            this.name = name;
            this.snapshot = snapshot(cluster);
        }

        private void schedule(DefragmentStep.Schedule step) {
            execute(step);
        }

        private void execute(DefragmentStep step) {
            switch (step) {
                case DefragmentStep.Cordon(var node) -> {
                    assertThat(cordoned.add(node)).as(name).isTrue();
                    deepest = Math.max(deepest, cordoned.size());
                    snapshot = snapshot.with(unschedulable(node(node)));
                }
                case DefragmentStep.Uncordon(var node) -> {
                    assertThat(cordoned.remove(node)).as(name).isTrue();
                    snapshot =
                            snapshot.with(
                                    new Node(
                                            node(node).metadata(),
                                            NodeSpec.EMPTY,
                                            node(node).status()));
                }
                case DefragmentStep.Evict(var pod, var node, var destination, var budgeted) -> {
                    assertThat(mayBeEvicted(cluster, snapshot, pod, Long.MAX_VALUE))
                            .as("%s: %s", name, pod.ref())
                            .isTrue();
                    priorities.add(pod.spec().priority().orElse(0));
                    assertThat(evicted.add(pod.ref())).as(name).isTrue();
                    assertThat(pod.spec().nodeName()).as(name).isEqualTo(node);
                    assertThat(cordoned).as(name).contains(node).doesNotContain(destination);
                    assertThat(budgeted)
                            .as(name)
                            .isEqualTo(
                                    cluster.budgets().stream().anyMatch(one -> one.selects(pod)));
                    place(unbound(pod), destination, snapshot.without(List.of(pod.ref())));
                }
                case DefragmentStep.Schedule(var room, var node) -> {
                    assertThat(priorities)
                            .as(name)
                            .allMatch(priority -> priority <= room.priority());
                    priorities.clear();
                    place(room.pod(), node, snapshot);
                }
            }
        }

        private Node node(String node) {
            return snapshot.inventory().node(node).orElseThrow();
        }

        private void place(Pod pod, String node, ClusterSnapshot before) {
            var after = placed(pod, node(node), before);
            assertThat(after).as("%s: %s on %s", name, pod.ref(), node).isPresent();
            snapshot = after.orElseThrow();
        }
    }
}
