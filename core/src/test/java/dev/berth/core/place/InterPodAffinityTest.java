package dev.berth.core.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class InterPodAffinityTest {

    private static final String NEAR = "node(s) didn't match pod affinity rules";
    private static final String APART = "node(s) didn't match pod anti-affinity rules";
    private static final String UNWELCOME =
            "node(s) didn't satisfy existing pods anti-affinity rules";

    private static String near(String labels) {
        return affinity("podAffinity", labels, "zone", "");
    }

    private static String apart(String labels, String key) {
        return affinity("podAntiAffinity", labels, key, "");
    }

    private static String affinity(String kind, String labels, String key, String more) {
        return "affinity: {%s: {requiredDuringSchedulingIgnoredDuringExecution: [{".formatted(kind)
                + "labelSelector: {matchLabels: {%s}}, topologyKey: %s%s}]}}"
                        .formatted(labels, key, more.isEmpty() ? "" : ", " + more);
    }

    @Test
    void affinityRequiresMatchingPodsInTheSameZone() {
        var cluster = PlacementFixture.inZones("a", "a", "b").pod("web", "n0", "app: web", "");
        assertThat(cluster.perNode(near("app: web"))).containsExactly("fits", "fits", NEAR);
    }

    @Test
    void theFirstPodWithAffinityToItselfFitsAnyNodeWithTheLabel() {
        var cluster =
                PlacementFixture.inZones("a", "b")
                        .add("{apiVersion: v1, kind: Node, metadata: {name: x}}");
        assertThat(cluster.perNode("app: web;" + near("app: web")))
                .containsExactly("fits", "fits", NEAR);
        assertThat(cluster.perNode("app: other;" + near("app: web")))
                .containsExactly(NEAR, NEAR, NEAR);
    }

    @Test
    void onePodMustMatchAllAffinityTerms() {
        var both =
                "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: ["
                        + "{labelSelector: {matchLabels: {app: web}}, topologyKey: zone},"
                        + "{labelSelector: {matchLabels: {tier: front}}, topologyKey: zone}]}}";
        var cluster =
                PlacementFixture.inZones("a", "b")
                        .pod("w", "n0", "app: web", "")
                        .pod("f", "n0", "tier: front", "")
                        .pod("both", "n1", "app: web, tier: front", "");
        assertThat(cluster.perNode(both)).containsExactly(NEAR, "fits");
    }

    @Test
    void antiAffinityExcludesTheWholeZone() {
        var cluster = PlacementFixture.inZones("a", "a", "b").pod("web", "n0", "app: web", "");
        assertThat(cluster.perNode(apart("app: web", "zone")))
                .containsExactly(APART, APART, "fits");
        assertThat(cluster.perNode(apart("app: web", "kubernetes.io/hostname")))
                .containsExactly(APART, "fits", "fits");
    }

    @Test
    void antiAffinityOfExistingPodsExcludesNodes() {
        var cluster =
                PlacementFixture.inZones("a", "a", "b")
                        .pod("shy", "n1", "", apart("app: web", "zone"));
        assertThat(cluster.perNode("app: web;")).containsExactly(UNWELCOME, UNWELCOME, "fits");
        assertThat(cluster.perNode("app: db;")).containsExactly("fits", "fits", "fits");
    }

    @Test
    void termsSelectTheOwnNamespaceByDefault() {
        var cluster = PlacementFixture.inZones("a", "b").pod("web", "n0", "app: web", "");
        assertThat(
                        cluster.perNode(
                                affinity(
                                        "podAntiAffinity",
                                        "app: web",
                                        "zone",
                                        "namespaces: [elsewhere]")))
                .containsExactly("fits", "fits");
        assertThat(
                        cluster.perNode(
                                affinity(
                                        "podAntiAffinity",
                                        "app: web",
                                        "zone",
                                        "namespaceSelector: {}")))
                .containsExactly(APART, "fits");
    }

    @Test
    void namespacesAreSelectedByTheirLabels() {
        var selected =
                affinity(
                        "podAntiAffinity",
                        "app: web",
                        "zone",
                        "namespaceSelector: {matchLabels: {team: blue}}");
        var cluster = PlacementFixture.inZones("a").pod("web", "n0", "app: web", "");
        assertThat(cluster.perNode(selected)).containsExactly("fits");
        cluster.namespace("default", Map.of("team", "blue"));
        assertThat(cluster.perNode(selected)).containsExactly(APART);
    }

    @Test
    void termsCanBeLimitedToPodsWithTheSameLabelValue() {
        var cluster =
                PlacementFixture.inZones("a", "b").pod("old", "n0", "app: web, release: one", "");
        var same = affinity("podAntiAffinity", "app: web", "zone", "matchLabelKeys: [release]");
        assertThat(cluster.perNode("app: web, release: two;" + same))
                .containsExactly("fits", "fits");
        assertThat(cluster.perNode("app: web, release: one;" + same))
                .containsExactly(APART, "fits");
        var other = affinity("podAntiAffinity", "app: web", "zone", "mismatchLabelKeys: [release]");
        assertThat(cluster.perNode("app: web, release: two;" + other))
                .containsExactly(APART, "fits");
    }

    @Test
    void aTermWithoutASelectorMatchesNoPods() {
        var cluster = PlacementFixture.inZones("a").pod("web", "n0", "app: web", "");
        assertThat(
                        cluster.perNode(
                                "affinity: {podAntiAffinity: {"
                                        + "requiredDuringSchedulingIgnoredDuringExecution:"
                                        + " [{topologyKey: zone}]}}"))
                .containsExactly("fits");
    }

    @Test
    void placedPodsCountForLaterPods() {
        var shy = "app: web;" + apart("app: web", "kubernetes.io/hostname");
        assertThat(PlacementFixture.inZones("a", "a", "b").places(shy, shy, shy, shy))
                .containsExactly("n0", "n1", "n2", "-");
    }
}
