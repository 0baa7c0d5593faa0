package dev.berth.core.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.pod.NodeAllocatableClaimStatus;
import dev.berth.model.api.pod.NodeAllocatableClaimStatus.Mapped;
import dev.berth.model.api.pod.NodeAllocatableClaimStatus.Overhead;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeAllocatableResourcesTest {

    private static final String CORES = "nodeAllocatableResources: {cpu: {mapping: {%s}}}";
    private static final String THREE = CORES.formatted("deviceMultiplier: '3'");
    private static final String OVERHEAD =
            """
            nodeAllocatableResources: {memory: {overhead: {perPod: 1Gi, perContainer: 512Mi}}}
            """;
    private static final String USES = "resourceClaims: [{name: d, resourceClaimName: c}]";
    private static final String SHARED =
            "node allocatable resource claim c has a mapped device and cannot be shared across"
                    + " pods";

    /// A node with four cores and 4Gi, a device, and a claim for it.
    private static PlacementFixture cluster(String device) {
        return PlacementFixture.of(
                """
                {apiVersion: v1, kind: Node, metadata: {name: node},
                 status: {allocatable: {cpu: '4', memory: 4Gi, pods: '10'}}}
                """,
                """
                {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu},
                 spec: {}}
                """,
                """
                {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: node},
                 spec: {
                  driver: gpu.example.com, nodeName: node, devices: [{name: gpu-0, %s}],
                  pool: {name: node, generation: 1, resourceSliceCount: 1}}}
                """
                        .formatted(device));
    }

    private static String claim(String request, String status) {
        return """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim,
         metadata: {namespace: default, name: c},
         spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu,
           allocationMode: ExactCount, count: 1%s}}]}}, status: {%s}}
        """
                .formatted(request, status);
    }

    private static String allocated(String more) {
        return claim(
                "",
                """
                allocation: {devices: {results: [
                  {request: r, driver: gpu.example.com, pool: node, device: gpu-0}]}}%s
                """
                        .formatted(more));
    }

    private static String requesting(String requests, String more) {
        return """
        containers: [{name: a, resources: {requests: {%s}, claims: [{name: d}]}},
          {name: b, resources: {claims: [{name: d}]}}, {name: other}], %s%s
        """
                .formatted(requests, USES, more);
    }

    private static NodeAllocatableClaimStatus status(List<Mapped> mapped, List<Overhead> overhead) {
        return new NodeAllocatableClaimStatus("c", List.of("a", "b"), mapped, overhead);
    }

    @Test
    void aDeviceMapsToCpuOfItsNode() {
        var cluster = cluster(THREE).add(claim("", ""));

        assertThat(cluster.perNode(requesting("cpu: '2'", ""))).containsExactly("Insufficient cpu");
        assertThat(cluster.first(requesting("cpu: '1'", "")).orElseThrow().nodeResources())
                .containsExactly(status(List.of(new Mapped("cpu", Quantity.of(3))), List.of()));
    }

    @Test
    void aShareMapsToItsConsumedCapacity() {
        var cluster =
                cluster(
                                "allowMultipleAllocations: true, capacity: {cores: {value: '8'}}, "
                                        + CORES.formatted(
                                                "capacityKey: cores, capacityMultiplier: 500m"))
                        .add(claim(", capacity: {requests: {cores: '3'}}", ""));

        assertThat(cluster.first(requesting("cpu: '1'", "")).orElseThrow().nodeResources())
                .containsExactly(
                        status(List.of(new Mapped("cpu", Quantity.parse("1500m"))), List.of()));
        assertThat(cluster.perNode(requesting("cpu: '3'", ""))).containsExactly("Insufficient cpu");
    }

    @Test
    void aCapacityMappingWithoutConsumedCapacityIsAnError() {
        var cluster =
                cluster(
                                "capacity: {cores: {value: '8'}}, "
                                        + CORES.formatted(
                                                "capacityKey: cores, capacityMultiplier: '1'"))
                        .add(claim("", ""));

        assertThat(cluster.perNode(requesting("", "")))
                .containsExactly(
                        "claim default/c: device gpu.example.com/node/gpu-0 maps to cpu by"
                                + " capacity cores, but consumes no capacity");
    }

    @Test
    void overheadCountsOncePerPodAndOncePerContainerOfTheClaim() {
        var cluster = cluster(OVERHEAD).add(claim("", ""));
        var overhead =
                new Overhead(
                        "memory",
                        Optional.of(Quantity.parse("1Gi")),
                        Optional.of(Quantity.parse("512Mi")));

        assertThat(cluster.first(requesting("memory: 2Gi", "")).orElseThrow().nodeResources())
                .containsExactly(status(List.of(), List.of(overhead)));
        assertThat(cluster.perNode(requesting("memory: 2049Mi", "")))
                .containsExactly("Insufficient memory");
    }

    @Test
    void nodeResourcesOfDevicesReduceFreeResources() {
        var cluster = cluster(THREE).add(claim("", ""));
        var plain = "containers: [{name: a, resources: {requests: {cpu: '2'}}}]";

        assertThat(cluster.places(requesting("", ""), plain)).containsExactly("node", "-");
        assertThat(cluster.places(plain, requesting("", ""))).containsExactly("node", "-");
    }

    @Test
    void nodeAllocatableStatusOfExistingPodsCounts() {
        var cluster =
                cluster("")
                        .add(
                                """
                                {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: p},
                                 spec: {nodeName: node, containers: [{name: a}]},
                                 status: {nodeAllocatableResourceClaimStatuses: [
                                   {resourceClaimName: x, containers: [a, b],
                                    mapping: [{name: cpu, quantity: '1'}],
                                    overhead: [{name: cpu, perPod: 500m, perContainer: 250m}]}]}}
                                """);

        assertThat(cluster.perNode("containers: [{name: a, resources: {requests: {cpu: '2'}}}]"))
                .containsExactly("fits");
        assertThat(cluster.perNode("containers: [{name: a, resources: {requests: {cpu: 2001m}}}]"))
                .containsExactly("Insufficient cpu");
    }

    @Test
    void aClaimWithMappedResourcesIsNotShared() {
        var other = ", reservedFor: [{resource: pods, name: other, uid: other-1}]";

        assertThat(cluster(THREE).add(allocated("")).perNode(requesting("", "")))
                .containsExactly("fits");
        assertThat(cluster(THREE).add(allocated(other)).perNode(requesting("", "")))
                .containsExactly(SHARED);
        // A claim with overhead only can be shared.
        assertThat(cluster(OVERHEAD).add(allocated(other)).perNode(requesting("", "")))
                .containsExactly("fits");
    }

    @Test
    void podsOfAGroupDoNotShareAClaimWithMappedResources() {
        var users = ", reservedFor: [{resource: podgroups, name: g, uid: g-1}]";
        var member =
                """
                {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: p},
                 spec: {nodeName: node, containers: [{name: a}]},
                 status: {nodeAllocatableResourceClaimStatuses: [
                   {resourceClaimName: c, mapping: [{name: cpu, quantity: '3'}]}]}}
                """;
        var group = ", schedulingGroup: {podGroupName: g}";

        assertThat(cluster(THREE).add(allocated(users)).perNode(requesting("", group)))
                .containsExactly("fits");
        assertThat(cluster(THREE).add(allocated(users)).add(member).perNode(requesting("", group)))
                .containsExactly(SHARED);
    }

    @Test
    void podLevelRequestsMustCoverDevices() {
        var cluster = cluster(THREE).add(claim("", ""));

        assertThat(cluster.perNode(requesting("cpu: 500m", ", resources: {requests: {cpu: '3'}}")))
                .containsExactly(
                        "pod level request for cpu is insufficient to cover the aggregated"
                                + " container and node-allocatable DRA requests");
        assertThat(cluster.perNode(requesting("cpu: 500m", ", resources: {requests: {cpu: '4'}}")))
                .containsExactly("fits");
    }

    @Test
    void podLevelLimitMustCoverEachContainerWithItsDevices() {
        var cluster = cluster(THREE).add(claim("", ""));
        var spec =
                """
                containers: [{name: a, resources: {limits: {cpu: '1'}, claims: [{name: d}]}}], %s,
                resources: {requests: {cpu: '4'}, limits: {cpu: %s}}
                """;

        assertThat(cluster.perNode(spec.formatted(USES, "3500m")))
                .containsExactly(
                        "pod level limit for cpu is insufficient to cover the limit and DRA"
                                + " overhead for container a");
        assertThat(cluster.perNode(spec.formatted(USES, "'4'"))).containsExactly("fits");
    }
}
