package dev.berth.core.place;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TopologySpreadTest {

    private static final String UNEVEN = "node(s) didn't match pod topology spread constraints";
    private static final String NO_LABEL = UNEVEN + " (missing required label)";

    private static String spread(int maxSkew, String more) {
        return "app: web; topologySpreadConstraints: [{maxSkew: %d, topologyKey: zone, "
                        .formatted(maxSkew)
                + "whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}%s}]"
                        .formatted(more.isEmpty() ? "" : ", " + more);
    }

    @Test
    void maxSkewIsEnforced() {
        var cluster = PlacementFixture.inZones("a", "a", "b").pod("one", "n0", "app: web", "");
        assertThat(cluster.perNode(spread(1, ""))).containsExactly(UNEVEN, UNEVEN, "fits");
        assertThat(cluster.perNode(spread(2, ""))).containsExactly("fits", "fits", "fits");
    }

    @Test
    void nodesWithoutTheLabelAreRejectedAndNotCounted() {
        var cluster =
                PlacementFixture.inZones("a")
                        .add("{apiVersion: v1, kind: Node, metadata: {name: x}}")
                        .pod("one", "x", "app: web", "");
        assertThat(cluster.perNode(spread(1, ""))).containsExactly("fits", NO_LABEL);
    }

    @Test
    void aPodThatDoesNotMatchIsNotCounted() {
        var cluster = PlacementFixture.inZones("a", "b").pod("one", "n0", "app: web", "");
        assertThat(cluster.perNode(spread(1, "").replace("app: web;", "app: db;")))
                .containsExactly("fits", "fits");
    }

    @Test
    void fewerDomainsThanMinDomainsMeanAMinimumOfZero() {
        var cluster = PlacementFixture.inZones("a", "a").pod("one", "n0", "app: web", "");
        assertThat(cluster.perNode(spread(1, ""))).containsExactly("fits", "fits");
        assertThat(cluster.perNode(spread(1, "minDomains: 2"))).containsExactly(UNEVEN, UNEVEN);
    }

    @Test
    void nodeAffinityPolicyIsHonored() {
        var cluster = PlacementFixture.inZones("a", "b").pod("one", "n0", "app: web", "");
        var inA = spread(1, "").replace("; ", "; nodeSelector: {zone: a}, ");
        assertThat(cluster.perNode(inA)).startsWith("fits");
        var ignoring =
                spread(1, "nodeAffinityPolicy: Ignore")
                        .replace("; ", "; nodeSelector: {zone: a}, ");
        assertThat(cluster.perNode(ignoring)).startsWith(UNEVEN);
    }

    @Test
    void nodeTaintsPolicyIsHonored() {
        var cluster =
                PlacementFixture.inZones("a")
                        .add(
                                "{apiVersion: v1, kind: Node, metadata: {name: t, labels: {zone:"
                                        + " b}}, spec: {taints: [{key: k, effect: NoSchedule}]}}")
                        .pod("one", "n0", "app: web", "");
        assertThat(cluster.perNode(spread(1, ""))).startsWith(UNEVEN);
        assertThat(cluster.perNode(spread(1, "nodeTaintsPolicy: Honor"))).startsWith("fits");
    }

    @Test
    void deletingPodsAndPodsOfOtherRevisionsDoNotCount() {
        var cluster =
                PlacementFixture.inZones("a", "b")
                        .add(
                                "{apiVersion: v1, kind: Pod, metadata: {namespace: default, name:"
                                        + " gone, labels: {app: web}, deletionTimestamp:"
                                        + " '2026-01-01T00:00:00Z'}, spec: {nodeName: n0,"
                                        + " containers:"
                                        + " [{name: m}]}}");
        assertThat(cluster.perNode(spread(1, ""))).containsExactly("fits", "fits");
        cluster.pod("old", "n0", "app: web, release: one", "");
        assertThat(
                        cluster.perNode(
                                spread(1, "matchLabelKeys: [release]")
                                        .replace("app: web;", "app: web, release: two;")))
                .containsExactly("fits", "fits");
        assertThat(cluster.perNode(spread(1, ""))).containsExactly(UNEVEN, "fits");
    }

    @Test
    void podsGoToTheDomainWithTheFewestPods() {
        var pod = spread(1, "");
        assertThat(PlacementFixture.inZones("a", "b", "c").places(pod, pod, pod, pod, pod))
                .startsWith("n0", "n1", "n2")
                .doesNotContain("-");
    }

    @Test
    void scheduleAnywayConstraintsScoreFittingNodes() {
        var wish = spread(1, "").replace("DoNotSchedule", "ScheduleAnyway");
        var cluster = PlacementFixture.inZones("a", "a", "b").pod("one", "n0", "app: web", "");
        assertThat(cluster.perNode(wish)).containsExactly("fits", "fits", "fits");
        assertThat(cluster.places(wish, wish)).containsExactly("n2", "n0");
    }
}
