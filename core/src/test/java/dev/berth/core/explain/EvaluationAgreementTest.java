package dev.berth.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.place.FitCache;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PlacementRules;
import dev.berth.core.place.Rejection;
import dev.berth.core.plan.PlanInput;
import dev.berth.core.plan.PlannedPod;
import dev.berth.core.plan.Planner;
import dev.berth.core.schedule.ClaimInspection;
import dev.berth.core.schedule.PlacementDecider;
import dev.berth.core.schedule.SchedulingDecision;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The scheduler, `plan` and `explain` have the same result for every node of random small
/// clusters.
class EvaluationAgreementTest {

    private static final int CLUSTERS = Integer.getInteger("berth.explain.worlds", 1_000);
    private static final Set<AllocatorFeature> FEATURES = EnumSet.allOf(AllocatorFeature.class);

    private final PlacementRules rules =
            new PlacementRules(
                    new Allocator(Allocator.DEFAULT_BUDGET),
                    FEATURES,
                    PlacementPolicy.KUBERNETES,
                    () -> "share");

    @Test
    void theExplanationOfANodeBeginsWithTheRejectionOfTheScheduler() {
        var rejected = 0;
        for (var seed = 0; seed < CLUSTERS; seed++) {
            var objects = SmallCluster.of(seed).objects();
            var snapshot = snapshot(objects);
            var request = new PlacementRequest(pending(objects), List.of(), List.of());
            var explained = inputs(objects).rejections();
            var fits = new FitCache(rules).evaluate(request, snapshot);
            for (var node : snapshot.inventory().nodes()) {
                var reasons = explained.getOrDefault(node.name(), List.<Rejection>of());
                var fit = fits.fit(node.name()).orElseThrow();
                assertThat(fit)
                        .as("seed %d, node %s", seed, node.name())
                        .isEqualTo(rules.evaluation(request, snapshot).fit(node));
                if (!reasons.isEmpty()) {
                    rejected++;
                    assertThat(fit)
                            .as("seed %d", seed)
                            .isEqualTo(new NodeFit.Rejected(node.name(), reasons.getFirst()));
                } else if (fit instanceof NodeFit.Rejected(_, var reason)) {
                    assertThat(reason.text())
                            .as("seed %d, node %s", seed, node.name())
                            .isEqualTo("cannot allocate all claims");
                }
            }
        }
        assertThat(rejected).isGreaterThan(CLUSTERS);
    }

    @Test
    void planAndSchedulerChooseTheSameNodeAndExplainAgrees() {
        var placed = 0;
        for (var seed = 0; seed < CLUSTERS; seed++) {
            var objects = SmallCluster.of(seed).objects();
            var pod = pending(objects);
            var planned = planned(objects, pod);
            var explanation = new Explainer(rules.allocator()).explain(inputs(objects));
            switch (decider().decide(pod, snapshot(objects), Instant.EPOCH)) {
                case SchedulingDecision.Placed decision -> {
                    placed++;
                    assertThat(planned)
                            .as("seed %d", seed)
                            .isInstanceOfSatisfying(
                                    PlannedPod.Placed.class,
                                    one ->
                                            assertThat(one.node())
                                                    .isEqualTo(decision.fits().node()));
                    assertThat(explanation)
                            .as("seed %d", seed)
                            .isInstanceOf(Explanation.Fits.class);
                }
                case SchedulingDecision.Unschedulable _ -> {
                    assertThat(planned).as("seed %d", seed).isInstanceOf(PlannedPod.Pending.class);
                    assertThat(explanation)
                            .as("seed %d", seed)
                            .isInstanceOf(Explanation.Misfit.class);
                }
                case SchedulingDecision.Blocked(var reason) -> throw new AssertionError(reason);
            }
        }
        assertThat(placed).isBetween(CLUSTERS / 10, CLUSTERS * 9 / 10);
    }

    private PlacementDecider decider() {
        return new PlacementDecider(
                new PlacementDecider.Options(
                        FEATURES,
                        rules.policy(),
                        ClaimInspection.DEFAULT_BINDING_TIMEOUT,
                        true,
                        rules.shareIds()),
                rules.allocator());
    }

    private PlannedPod planned(ClusterObjects objects, Pod pod) {
        var planner = new Planner(FEATURES, rules.policy(), rules.shareIds(), (_, _) -> {});
        var others = objects.pods().stream().filter(one -> !one.equals(pod)).toList();
        var input =
                new PlanInput(
                        objects.nodes(),
                        objects.slices(),
                        objects.classes(),
                        objects.taintRules(),
                        objects.claims(),
                        List.of(),
                        others,
                        List.of(new PlanInput.PendingPod("pod", pod)),
                        objects.context());
        return planner.plan(input).outcomes().getFirst();
    }

    private static Pod pending(ClusterObjects objects) {
        return objects.pods().getLast();
    }

    private static ClusterSnapshot snapshot(ClusterObjects objects) {
        var inventory =
                ClusterInventory.of(
                        objects.nodes(),
                        objects.slices(),
                        objects.classes(),
                        AllocatorFeature.rules(FEATURES));
        return ClusterSnapshot.of(inventory, ClusterUsage.of(objects.pods(), objects.claims()))
                .with(objects.context());
    }

    private static ExplainInputs inputs(ClusterObjects objects) {
        var options =
                new ExplainOptions(
                        FEATURES, ClaimInspection.DEFAULT_BINDING_TIMEOUT, Instant.EPOCH);
        return switch (objects.ofPod(options, new ObjectRef("default", "pod"))) {
            case ClusterObjects.Lookup.Found(var inputs) -> inputs;
            case ClusterObjects.Lookup other -> throw new AssertionError(other);
        };
    }
}
