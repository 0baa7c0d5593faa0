package dev.berth.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.pod.Pod;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Allocated claims that a pod cannot use: the decision and its explanation.
class UnusableClaimsTest {

    private static final Pod POD =
            DecisionFixture.pod(
                    """
                    {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: p, uid: p-1},
                     spec: {containers: [{name: c, image: i}],
                       resourceClaims: [{name: gpu, resourceClaimName: shared}]}}
                    """);

    private static DecisionFixture fixture(String taints, String users) {
        return DecisionFixture.of(
                "{apiVersion: v1, kind: Node, metadata: {name: a}, spec: {}}",
                "{apiVersion: v1, kind: Node, metadata: {name: b}, spec: {}}",
                """
                {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: a}, spec: {
                  driver: gpu.example.com, nodeName: a, devices: [{name: gpu-0%s}],
                  pool: {name: a, generation: 1, resourceSliceCount: 1}}}
                """
                        .formatted(taints),
                """
                {apiVersion: resource.k8s.io/v1, kind: ResourceClaim,
                 metadata: {namespace: default, name: shared, uid: claim-1},
                 spec: {devices: {requests: [{name: r, exactly: {
                           deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]}},
                 status: {
                   reservedFor: [%s],
                   allocation: {devices: {results: [
                     {request: r, driver: gpu.example.com, pool: a, device: gpu-0}]}}}}
                """
                        .formatted(users));
    }

    private static String users(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{resource: pods, name: p%d, uid: other-%d}".formatted(i, i))
                .collect(Collectors.joining(", "));
    }

    private static String taint(String effect) {
        return ", taints: [{key: broken, effect: %s, timeAdded: '2026-07-01T12:00:00Z'}]"
                .formatted(effect);
    }

    private static String message(DecisionFixture fixture) {
        return fixture.decide(POD) instanceof SchedulingDecision.Unschedulable unplaced
                ? unplaced.message()
                : "";
    }

    @Test
    void aFullyReservedClaimRejectsPods() {
        var fixture = fixture("", users(256));

        assertThat(message(fixture))
                .isEqualTo(
                        "0/2 nodes are available: resourceclaim default/shared is in use by 256"
                                + " pods, which is the maximum.");
        assertThat(fixture.cause(POD))
                .isEqualTo(
                        "ResourceClaim shared, status.reservedFor: the claim is reserved for 256"
                                + " pods, which is the maximum; delete a pod that uses claim"
                                + " default/shared");
    }

    @Test
    void aClaimBelowTheLimitAdmitsPods() {
        assertThat(fixture("", users(255)).decide(POD))
                .isInstanceOf(SchedulingDecision.Placed.class);
    }

    @Test
    void aDeviceTaintedAfterAllocationIsReported() {
        var fixture = fixture(taint("NoSchedule"), users(1));

        assertThat(message(fixture))
                .isEqualTo("0/2 nodes are available: 2 resourceclaim not available on the node.");
        assertThat(fixture.cause(POD))
                .isEqualTo(
                        "ResourceClaim shared, status.allocation: the claim has"
                                + " device gpu.example.com/a/gpu-0, which is tainted"
                                + " broken:NoSchedule; remove taint broken:NoSchedule from device"
                                + " gpu.example.com/a/gpu-0");
    }

    @Test
    void aPodWithAReservationMayUseATaintedDevice() {
        var fixture = fixture(taint("NoSchedule"), "{resource: pods, name: p, uid: p-1}");

        assertThat(fixture.decide(POD)).isInstanceOf(SchedulingDecision.Placed.class);
        assertThat(fixture.cause(POD)).isEmpty();
    }

    @Test
    void aTaintWithoutEffectIsIgnored() {
        var fixture = fixture(taint("None"), users(1));

        assertThat(fixture.decide(POD)).isInstanceOf(SchedulingDecision.Placed.class);
        assertThat(fixture.cause(POD)).isEmpty();
    }
}
