package dev.berth.core.place;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PodEvaluationTest {

    private static String node(String name, String spec) {
        return ("{apiVersion: v1, kind: Node, metadata: {name: %s, labels: {disk: ssd}},"
                        + " spec: {%s},"
                        + " status: {allocatable: {cpu: 2, pods: 2}}}")
                .formatted(name, spec);
    }

    private static final String CLASS =
            "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}}";

    private static String slice(String node) {
        return """
        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s}, spec: {
          driver: gpu.example.com, nodeName: %1$s,
          pool: {name: %1$s, generation: 1, resourceSliceCount: 1}, devices: [{name: only}]}}
        """
                .formatted(node);
    }

    private static String claim(String name, String allocation) {
        return """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim,
         metadata: {namespace: default, name: %s}, spec: {devices: {requests: [
           {name: r, exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]}},
         status: {%s}}
        """
                .formatted(name, allocation);
    }

    private static final String USES = "resourceClaims: [{name: gpu, resourceClaimName: mine}]";

    @Test
    void eachNodeHasItsRejection() {
        var cluster =
                PlacementFixture.of(
                        node("a", "unschedulable: true"),
                        node("b", "taints: [{key: k, value: v, effect: NoExecute}]"),
                        node("c", ""),
                        node("d", ""));
        cluster.pod("x", "d", "", "").pod("z", "d", "", "");
        assertThat(cluster.perNode("nodeSelector: {disk: ssd}"))
                .containsExactly(
                        "node(s) were unschedulable",
                        "node(s) had untolerated taint {k: v}",
                        "fits",
                        "Too many pods");
        assertThat(cluster.perNode("nodeName: c, containers: [{name: c}]"))
                .containsExactly(
                        "node(s) were unschedulable",
                        "node(s) didn't match the requested node name",
                        "fits",
                        "node(s) didn't match the requested node name");
        assertThat(cluster.perNode("nodeSelector: {disk: hdd}").get(2))
                .isEqualTo("node(s) didn't match Pod's node affinity/selector");
    }

    @Test
    void hostPortsAndCpuAreChecked() {
        var port = "containers: [{name: c, ports: [{containerPort: 80, hostPort: 80}]}]";
        var cluster =
                PlacementFixture.of(node("a", ""))
                        .add(
                                "{apiVersion: v1, kind: Pod, metadata: {namespace: default, name:"
                                        + " x}, spec: {nodeName: a, "
                                        + port
                                        + "}}");
        assertThat(cluster.perNode(port))
                .containsExactly("node(s) didn't have free ports for the requested pod ports");
        assertThat(cluster.perNode("containers: [{name: c, resources: {requests: {cpu: 3}}}]"))
                .containsExactly("Insufficient cpu");
    }

    @Test
    void devicesAreCheckedAfterNodeFilters() {
        var cluster =
                PlacementFixture.of(
                        CLASS, node("a", ""), node("b", ""), slice("b"), claim("mine", ""));
        assertThat(cluster.perNode(USES)).containsExactly("cannot allocate all claims", "fits");
        assertThat(cluster.places(USES)).containsExactly("b");
    }

    @Test
    void anAllocatedClaimRestrictsNodes() {
        var held =
                """
                allocation: {devices: {results: [{request: r, driver: gpu.example.com, pool: b,
                 device: only}]}, nodeSelector: {nodeSelectorTerms: [{matchFields: [
                 {key: metadata.name, operator: In, values: [b]}]}]}}
                """;
        var cluster = PlacementFixture.of(CLASS, node("a", ""), node("b", ""), slice("b"));
        cluster.add(claim("mine", held));
        assertThat(cluster.perNode(USES))
                .containsExactly("resourceclaim not available on the node", "fits");
        assertThat(cluster.evaluate(USES).getLast())
                .isInstanceOfSatisfying(
                        NodeFit.Fits.class, fits -> assertThat(fits.allocations()).isEmpty());
    }

    @Test
    void aPlacedPodUsesDevicesAndResources() {
        var other = USES.replace("mine", "other");
        var cluster =
                PlacementFixture.of(
                        CLASS, node("a", ""), slice("a"), claim("mine", ""), claim("other", ""));
        assertThat(cluster.places(USES, other, USES, "")).containsExactly("a", "-", "a", "-");
    }

    @Test
    void anInvalidSelectorRejectsThePodOnAllNodes() {
        var bad =
                claim("mine", "")
                        .replace(
                                "count: 1}",
                                "count: 1, selectors: [{cel: {expression:"
                                        + ""
                                        + " 'device.attributes[\"gpu.example.com\"]"
                                        + ".missing == 1'}}]}");
        var cluster = PlacementFixture.of(CLASS, node("a", ""), slice("a"), bad);
        assertThat(cluster.places(USES)).containsExactly("-");
        assertThat(cluster.perNode(USES).getFirst()).contains("no such key");
    }
}
