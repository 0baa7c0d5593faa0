package dev.berth.core.place;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeScoresTest {

    private static String node(String name, String more) {
        return ("{apiVersion: v1, kind: Node, metadata: {name: %s, labels: {host: %s}}, status:"
                        + " {allocatable: {cpu: 8, memory: 8Gi, pods: 99}}%s}")
                .formatted(name, name, more);
    }

    private static String cpu(String amount) {
        return "containers: [{name: c, resources: {requests: {cpu: %s, memory: %sGi}}}]"
                .formatted(amount, amount);
    }

    @Test
    void theLeastAllocatedNodeIsChosen() {
        var cluster = PlacementFixture.of(node("a", ""), node("b", ""));
        assertThat(cluster.places(cpu("2"), cpu("2"), cpu("2"), cpu("2")))
                .containsExactly("a", "b", "a", "b");
    }

    @Test
    void equalScoresAreBrokenByName() {
        assertThat(PlacementFixture.of(node("b", ""), node("a", "")).places(cpu("1")))
                .containsExactly("a");
    }

    @Test
    void theBalancedNodeIsChosen() {
        var cluster =
                PlacementFixture.of(node("a", ""), node("b", ""))
                        .add(
                                "{apiVersion: v1, kind: Pod, metadata: {namespace: default, name:"
                                        + " x}, spec: {nodeName: a, containers: [{name:"
                                        + " c, resources:"
                                        + " {requests: {cpu: 4}}}]}}")
                        .add(
                                "{apiVersion: v1, kind: Pod, metadata: {namespace: default, name:"
                                        + " z}, spec: {nodeName: b, containers: [{name:"
                                        + " c, resources:"
                                        + " {requests: {cpu: 2, memory: 2Gi}}}]}}");
        assertThat(cluster.places(cpu("1"))).containsExactly("b");
    }

    @Test
    void preferNoScheduleTaintsLowerTheScore() {
        var cluster =
                PlacementFixture.of(
                        node("a", ", spec: {taints: [{key: k, effect: PreferNoSchedule}]}"),
                        node("b", ""));
        assertThat(cluster.places(cpu("1"))).containsExactly("b");
        assertThat(cluster.places("tolerations: [{operator: Exists}], " + cpu("1")))
                .containsExactly("a");
    }

    @Test
    void preferredNodeAffinityRaisesTheScore() {
        var cluster = PlacementFixture.of(node("a", ""), node("b", ""));
        assertThat(
                        cluster.places(
                                "affinity: {nodeAffinity: {"
                                        + "preferredDuringSchedulingIgnoredDuringExecution:"
                                        + " [{weight: 5, preference: {matchExpressions: [{key:"
                                        + " host, operator: In, values: [b]}]}}]}}"))
                .containsExactly("b");
    }

    private static String preferred(String kind) {
        return "app: web; affinity: {%s: {preferredDuringSchedulingIgnoredDuringExecution:"
                        .formatted(kind)
                + " [{weight: 5, podAffinityTerm: {topologyKey: host, labelSelector: {matchLabels:"
                + " {app: web}}}}]}}";
    }

    @Test
    void preferredPodAffinityAndAntiAffinityCount() {
        var withB = PlacementFixture.of(node("a", ""), node("b", "")).pod("w", "b", "app: web", "");
        assertThat(withB.places(preferred("podAffinity"))).containsExactly("b");
        var withA = PlacementFixture.of(node("a", ""), node("b", "")).pod("w", "a", "app: web", "");
        assertThat(withA.places(preferred("podAntiAffinity"))).containsExactly("b");
    }

    @Test
    void preferredAffinityOfExistingPodsCounts() {
        var preferred = preferred("podAntiAffinity").substring("app: web;".length());
        var cluster =
                PlacementFixture.of(node("a", ""), node("b", "")).pod("w", "a", "", preferred);
        assertThat(cluster.places("app: web;")).containsExactly("b");
    }

    @Test
    void packingTakesTheNodeWithTheFewestFreeDevices() {
        var slice =
                """
                {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s},
                 spec: {driver: gpu.example.com, nodeName: %1$s,
                 pool: {name: %1$s, generation: 1, resourceSliceCount: 1}, devices: [%2$s]}}
                """;
        var cluster =
                PlacementFixture.of(
                        node("a", ""),
                        node("b", ""),
                        slice.formatted("a", "{name: x}, {name: z}"),
                        slice.formatted("b", "{name: x}"),
                        "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name:"
                                + " gpu}, spec: {extendedResourceName: example.com/gpu}}");
        var gpu = "containers: [{name: c, resources: {requests: {example.com/gpu: 1}}}]";
        assertThat(cluster.places(gpu)).containsExactly("a");
        assertThat(cluster.by(PlacementPolicy.PACK).places(gpu)).containsExactly("b");
    }
}
