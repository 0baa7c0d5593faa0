package dev.berth.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.place.FitCache;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PlacementRules;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pods with and without devices arrive and leave on more nodes than a sample has. The scheduler, a
/// plan, and a scheduler that has just started choose the same node and the same devices. Every
/// policy fits the pods that the policy of Kubernetes fits.
class PolicyAgreementTest {

    private static final int NODES = 110;
    private static final int STEPS = 260;
    private static final int RESTART_EVERY = 20;
    private static final List<Integer> SHARES = List.of(1000, 810, 470, 320, 190, 160);

    private final Random random = new Random(11);
    private final List<ObjectRef> bound = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = {"pack", "aligned", "spread", "aligned,kubernetes", "spread,pack"})
    void schedulerPlanAndRestartedSchedulerAgree(String text) {
        var policy = PlacementPolicy.parse(text);
        var fixture = cluster().by(policy);
        var plan = new FitCache(rules(policy));
        var snapshot = fixture.snapshot();
        var placed = 0;
        for (var step = 0; step < STEPS; step++) {
            var claim = random.nextInt(5) == 0 ? Optional.<ResourceClaim>empty() : claim(step);
            var pod = pod(step, claim.isPresent());
            var withClaim = claim.map(snapshot::with).orElse(snapshot);
            var request = new PlacementRequest(pod, List.of(), claim.stream().toList());
            var planned = plan.evaluate(request, withClaim).best();
            assertThat(decided(fixture, pod, withClaim))
                    .as("step %d", step)
                    .isEqualTo(planned.map(PolicyAgreementTest::devices));
            if (step % RESTART_EVERY == 0) {
                assertThat(new FitCache(rules(policy)).evaluate(request, withClaim).best())
                        .as("step %d", step)
                        .isEqualTo(planned);
                assertThat(fitting(policy, request, withClaim))
                        .isEqualTo(fitting(PlacementPolicy.KUBERNETES, request, withClaim));
            }
            if (planned.isPresent()) {
                placed++;
                snapshot = withClaim.assume(request.placement(planned.get()));
                bound.add(pod.ref());
            }
            snapshot = withoutOnePod(snapshot, step);
        }
        assertThat(placed).isBetween(STEPS / 4, STEPS);
    }

    private static List<String> fitting(
            PlacementPolicy policy, PlacementRequest request, ClusterSnapshot snapshot) {
        return new FitCache(rules(policy))
                .evaluate(request, snapshot).fitting().stream().map(NodeFit.Fits::node).toList();
    }

    private static Optional<String> decided(
            DecisionFixture fixture, Pod pod, ClusterSnapshot snapshot) {
        return fixture.decide(pod, snapshot) instanceof SchedulingDecision.Placed placed
                ? Optional.of(devices(placed.fits()))
                : Optional.empty();
    }

    private static String devices(NodeFit.Fits fits) {
        return fits.node()
                + fits.allocations().stream()
                        .flatMap(allocation -> allocation.result().devices().stream())
                        .map(device -> device.id().toString())
                        .toList();
    }

    private static PlacementRules rules(PlacementPolicy policy) {
        return new PlacementRules(
                new Allocator(Allocator.DEFAULT_BUDGET),
                EnumSet.allOf(AllocatorFeature.class),
                policy,
                () -> "share");
    }

    private static DecisionFixture cluster() {
        var fixture =
                DecisionFixture.of(
                        """
                        {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu},
                         spec: {selectors: [{cel: {
                           expression: 'device.driver == "gpu.example.com"'}}]}}
                        """);
        for (var i = 0; i < NODES; i++) {
            fixture.add(
                    """
                    {apiVersion: v1, kind: Node, metadata: {name: node-%03d}, status: {allocatable:
                      {cpu: "%d", memory: %dGi, pods: "20"}}}
                    """
                            .formatted(i, 4 + i % 3 * 8, 16 + i % 4 * 16));
            fixture.add(slice("node-%03d".formatted(i), i % 4));
        }
        return fixture;
    }

    private static String slice(String node, int gpus) {
        var devices =
                IntStream.range(0, gpus)
                        .mapToObj(i ->
                                """
                                {name: gpu-%d, allowMultipleAllocations: true,
                                 attributes: {model: {string: model-%d},
                                   resource.kubernetes.io/pcieRoot: {string: pci-%d}},
                                 capacity: {milli: {value: 1000}}}
                                """
                                        .formatted(i, gpus, i / 2))
                        .collect(Collectors.joining(", "));
        return """
        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s}, spec: {
          driver: gpu.example.com, nodeName: %1$s, devices: [%2$s],
          pool: {name: %1$s, generation: 1, resourceSliceCount: 1}}}
        """
                .formatted(node, devices);
    }

    private Optional<ResourceClaim> claim(int number) {
        var share = SHARES.get(random.nextInt(SHARES.size()));
        var count = share == 1000 ? 1 + random.nextInt(2) : 1;
        var selectors =
                random.nextInt(4) > 0
                        ? ""
                        : ", selectors: [{cel: {expression: 'device.attributes"
                                + "[\"gpu.example.com\"].model == \"model-3\"'}}]";
        return Optional.of(
                DecisionFixture.claim(
                        """
                        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim,
                         metadata: {namespace: d, name: c-%1$d, uid: cu-%1$d},
                         spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu,
                           allocationMode: ExactCount, count: %2$d,
                           capacity: {requests: {milli: %3$d}}%4$s}}]}}}
                        """
                                .formatted(number, count, share, selectors)));
    }

    private static Pod pod(int number, boolean hasClaim) {
        var claims = ", resourceClaims: [{name: r, resourceClaimName: c-%d}]".formatted(number);
        return DecisionFixture.pod(
                """
                {apiVersion: v1, kind: Pod, metadata: {namespace: d, name: p-%1$d, uid: u-%1$d},
                 spec: {containers: [{name: c, image: i, resources: {requests: {cpu: %2$d,
                   memory: %3$dGi}}}]%4$s}}
                """
                        .formatted(number, 1 + number % 5, 1 + number % 7, hasClaim ? claims : ""));
    }

    private ClusterSnapshot withoutOnePod(ClusterSnapshot snapshot, int step) {
        if (step % 4 != 0 || bound.isEmpty()) {
            return snapshot;
        }
        var pod = bound.remove(random.nextInt(bound.size()));
        var claim = new ObjectRef("d", pod.name().replace('p', 'c'));
        return snapshot.withoutPod(pod).withoutClaim(claim);
    }
}
