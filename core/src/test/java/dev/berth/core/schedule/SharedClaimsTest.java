package dev.berth.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.pod.Pod;
import org.junit.jupiter.api.Test;

/// Pods with an allocated claim are placed on its node.
class SharedClaimsTest {

    private static final String NODE =
            "{apiVersion: v1, kind: Node, metadata: {name: %s}, spec: {unschedulable: %s}}";

    private static DecisionFixture fixture(boolean isClosed) {
        return DecisionFixture.of(
                NODE.formatted("a", false),
                NODE.formatted("b", isClosed),
                NODE.formatted("c", true),
                """
                {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {}}
                """,
                """
                {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: b}, spec: {
                  driver: gpu.example.com, nodeName: b, devices: [{name: gpu-0}],
                  pool: {name: b, generation: 1, resourceSliceCount: 1}}}
                """,
                """
                {apiVersion: resource.k8s.io/v1, kind: ResourceClaim,
                 metadata: {namespace: default, name: shared, uid: claim-1},
                 spec: {devices: {requests: [{name: r, exactly: {
                           deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]}},
                 status: {
                   reservedFor: [{resource: pods, name: other, uid: other-1}],
                   allocation: {devices: {results: [
                     {request: r, driver: gpu.example.com, pool: b, device: gpu-0}]},
                     nodeSelector: {nodeSelectorTerms: [
                       {matchFields: [{key: metadata.name, operator: In, values: [b]}]}]}}}}
                """);
    }

    private static Pod pod() {
        return DecisionFixture.pod(
                """
                {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: p, uid: p-1},
                 spec: {containers: [{name: c, image: i}],
                   resourceClaims: [{name: gpu, resourceClaimName: shared}]}}
                """);
    }

    @Test
    void aPodIsPlacedOnTheNodeOfItsAllocatedClaim() {
        assertThat(fixture(false).decide(pod()))
                .isInstanceOfSatisfying(
                        SchedulingDecision.Placed.class,
                        placed -> {
                            assertThat(placed.fits().node()).isEqualTo("b");
                            assertThat(placed.fits().allocations()).isEmpty();
                        });
    }

    @Test
    void allNodesAreReportedWhenThatNodeIsUnschedulable() {
        assertThat(fixture(true).decide(pod()))
                .isInstanceOfSatisfying(
                        SchedulingDecision.Unschedulable.class,
                        unplaced ->
                                assertThat(unplaced.message())
                                        .startsWith("0/3 nodes are available: ")
                                        .contains("2 node(s) were unschedulable"));
    }
}
