package dev.berth.core.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.snapshot.ExtendedResourceClaim;
import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExtendedResourcesTest {

    private static final String NODE = "{apiVersion: v1, kind: Node, metadata: {name: %s}, %s}";
    private static final String SLICE =
            """
            {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s}, spec: {
              driver: gpu.example.com, nodeName: %1$s,
              pool: {name: %1$s, generation: 1, resourceSliceCount: 1},
              devices: [{name: a}, {name: b}]}}
            """;

    private static String deviceClass(String name, String created, String resource) {
        return ("{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: %s,"
                        + " creationTimestamp: '%s'}, spec: {extendedResourceName: %s}}")
                .formatted(name, created, resource);
    }

    private static final String GPU = deviceClass("gpu", "2026-01-01T00:00:00Z", "example.com/gpu");

    private static String container(String name, String requests) {
        return "{name: %s, resources: {requests: {%s}}}".formatted(name, requests);
    }

    private static String requesting(int count) {
        return "containers: [" + container("main", "example.com/gpu: " + count) + "]";
    }

    @Test
    void devicesServeExtendedResourcesWithoutADevicePlugin() {
        var cluster =
                PlacementFixture.of(
                        GPU,
                        NODE.formatted("devices", "status: {allocatable: {pods: 9}}"),
                        NODE.formatted(
                                "empty", "status: {allocatable: {pods: 9, example.com/gpu: 0}}"),
                        NODE.formatted(
                                "plugin", "status: {allocatable: {pods: 9, example.com/gpu: 2}}"),
                        SLICE.formatted("devices"));
        assertThat(cluster.perNode(requesting(2)))
                .containsExactly("fits", "cannot allocate all claims", "fits");
        assertThat(cluster.perNode(requesting(3)))
                .containsExactly(
                        "cannot allocate all claims",
                        "cannot allocate all claims",
                        "Insufficient example.com/gpu");
        assertThat(
                        cluster.first(requesting(2))
                                .orElseThrow()
                                .allocations()
                                .getFirst()
                                .result()
                                .devices())
                .extracting(device -> device.request() + " " + device.id().device())
                .containsExactly("container-0-request-0 a", "container-0-request-0 b");
    }

    @Test
    void aClassServesItsImplicitResourceName() {
        var cluster =
                PlacementFixture.of(
                        GPU, NODE.formatted("node", "spec: {}"), SLICE.formatted("node"));
        assertThat(cluster.perNode(implicit(2))).containsExactly("fits");
        assertThat(cluster.perNode(implicit(3))).containsExactly("cannot allocate all claims");
    }

    private static String implicit(int count) {
        return "containers: ["
                + container("main", "deviceclass.resource.kubernetes.io/gpu: " + count)
                + "]";
    }

    @Test
    void aResourceWithoutDevicePluginAndClassIsInsufficient() {
        var cluster =
                PlacementFixture.of(NODE.formatted("node", "status: {allocatable: {pods: 9}}"));
        assertThat(cluster.perNode(requesting(1))).containsExactly("Insufficient example.com/gpu");
    }

    @Test
    void devicesAreAllocatedToOnePod() {
        var cluster =
                PlacementFixture.of(
                        GPU, NODE.formatted("node", "spec: {}"), SLICE.formatted("node"));
        assertThat(cluster.places(requesting(1), requesting(1), requesting(1)))
                .containsExactly("node", "node", "-");
    }

    @Test
    void theNewestClassServesASharedNameThenTheFirstByName() {
        var old = deviceClass("a", "2025-01-01T00:00:00Z", "example.com/gpu");
        var late = deviceClass("c", "2026-01-01T00:00:00Z", "example.com/gpu");
        var alsoLate = deviceClass("b", "2026-01-01T00:00:00Z", "example.com/gpu");
        var extended = PlacementFixture.of(old, late, alsoLate).extended();
        assertThat(extended.of(PlacementFixture.pod(requesting(1))))
                .containsEntry("example.com/gpu", "b");
        assertThat(extended.of(PlacementFixture.pod(implicit(1).replace("/gpu", "/a"))))
                .containsEntry("deviceclass.resource.kubernetes.io/a", "a");
    }

    @Test
    void everyContainerAndSidecarHasItsOwnRequest() {
        assertThat(
                        requests(
                                "containers: ["
                                        + container("w", "cpu: 1, example.com/gpu: 1")
                                        + ", "
                                        + container("z", "example.com/gpu: 2")
                                        + "]"))
                .containsExactly("container-0-request-1 1", "container-1-request-0 2");
    }

    @Test
    void initContainersReuseDevicesOfLaterContainersAndShareTheLargestRest() {
        var spec =
                "initContainers: ["
                        + container("i", "example.com/gpu: 3")
                        + ", "
                        + container("j", "example.com/gpu: 5")
                        + "], containers: ["
                        + container("main", "example.com/gpu: 2")
                        + "]";
        assertThat(requests(spec))
                .containsExactly("container-1-request-0 3", "container-2-request-0 2");
        assertThat(mappings(spec))
                .containsExactly(
                        "main container-2-request-0",
                        "i container-2-request-0",
                        "i container-1-request-0",
                        "j container-2-request-0",
                        "j container-1-request-0");
    }

    @Test
    void initContainersDoNotReuseDevicesOfEarlierSidecars() {
        var sidecar =
                "{name: s, restartPolicy: Always, resources: {requests: {example.com/gpu: 1}}}";
        var init = container("i", "example.com/gpu: 1");
        var main = "containers: [{name: main}]";
        assertThat(requests("initContainers: [" + sidecar + ", " + init + "], " + main))
                .containsExactly("container-0-request-0 1", "container-1-request-0 1");
        assertThat(requests("initContainers: [" + init + ", " + sidecar + "], " + main))
                .containsExactly("container-1-request-0 1");
    }

    private static List<String> requests(String spec) {
        return claim(spec).claim().spec().requests().stream()
                .map(request -> (DeviceRequest.Exactly) request)
                .map(request ->
                        request.name()
                                + " "
                                + ((AllocationCount.ExactCount) request.demand().count()).count())
                .toList();
    }

    private static List<String> mappings(String spec) {
        return claim(spec).mappings().stream()
                .map(mapping -> mapping.containerName() + " " + mapping.requestName())
                .toList();
    }

    private static ExtendedResourceClaim claim(String spec) {
        return PlacementFixture.of(GPU).extended().claim(PlacementFixture.pod(spec)).orElseThrow();
    }
}
