package dev.berth.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.place.FitCache;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PlacementRules;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Pods are added and removed in a cluster of many nodes: cached results give the same sample and
/// the same choice as a fresh evaluation of all nodes, with much or little free capacity.
class FitCacheChoiceTest {

    private static final Set<AllocatorFeature> FEATURES = EnumSet.allOf(AllocatorFeature.class);
    private static final int NODES = 130;
    private static final int STEPS = 700;
    private static final List<String> REQUESTS =
            List.of(
                    "{cpu: 1500m, memory: 1Gi}",
                    "{cpu: 700m}",
                    "{memory: 0.3Gi}",
                    "{cpu: 0.0003, memory: 100000001m}",
                    "{}");

    private final PlacementRules rules =
            new PlacementRules(
                    new Allocator(Allocator.DEFAULT_BUDGET),
                    FEATURES,
                    PlacementPolicy.KUBERNETES,
                    () -> "share");
    private final Random random = new Random(7);
    private final List<ObjectRef> there = new ArrayList<>();

    @Test
    void cachedResultsGiveTheSameChoice() {
        var fitCache = new FitCache(rules);
        var sample = new NodeSample();
        var sampleAnew = new NodeSample();
        var snapshot = cluster();
        var unplaced = 0;
        for (var step = 0; step < STEPS; step++) {
            var request = new PlacementRequest(pod(step), List.of(), List.of());
            var nodeFits = fitCache.evaluate(request, snapshot);
            var chosen = nodeFits.best(sample.of(nodeFits));

            // A cache without results evaluates all nodes.
            var anew = new FitCache(rules).evaluate(request, snapshot);
            assertThat(chosen).as("step %d", step).isEqualTo(anew.best(sampleAnew.of(anew)));

            if (chosen.isPresent()) {
                snapshot = snapshot.assume(request.placement(chosen.get()));
                there.add(request.pod().ref());
            } else {
                unplaced++;
            }
            snapshot = withoutOnePod(snapshot, step);
        }
        assertThat(unplaced).isBetween(STEPS / 50, STEPS / 2);
    }

    private static ClusterSnapshot cluster() {
        var fixture = DecisionFixture.of();
        for (var i = 0; i < NODES; i++) {
            fixture.add(
                    """
                    {apiVersion: v1, kind: Node, metadata: {name: node-%d}, status: {allocatable: {
                      cpu: "%d", memory: %dGi, pods: "%d"}}}
                    """
                            .formatted(i, 2 + i % 3, 2 + i % 4, 1 + i % 5));
        }
        return fixture.snapshot();
    }

    private Pod pod(int number) {
        var containers = new ArrayList<String>();
        for (var i = 0; i <= random.nextInt(2); i++) {
            var requests = REQUESTS.get(random.nextInt(REQUESTS.size()));
            containers.add(
                    "{name: c%d, image: i, resources: {requests: %s}}".formatted(i, requests));
        }
        return DecisionFixture.pod(
                """
                {apiVersion: v1, kind: Pod, metadata: {namespace: d, name: p-%d, uid: u-%d},
                 spec: {containers: [%s]}}
                """
                        .formatted(number, number, String.join(", ", containers)));
    }

    private ClusterSnapshot withoutOnePod(ClusterSnapshot snapshot, int step) {
        return step % 5 == 0 && !there.isEmpty()
                ? snapshot.withoutPod(there.remove(random.nextInt(there.size())))
                : snapshot;
    }
}
