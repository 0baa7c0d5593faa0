package dev.berth.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.snapshot.ClusterContext;
import dev.berth.core.utilisation.Utilisation;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlannerTest {

    private static final String CLUSTER =
            """
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaimTemplate
            metadata: {namespace: default, name: one}
            spec: {spec: {devices: {requests: [{name: r, exactly: {
              deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]}}}
            ---
            apiVersion: v1
            kind: Node
            metadata: {name: a, labels: {kubernetes.io/hostname: a}}
            ---
            apiVersion: v1
            kind: Node
            metadata: {name: b, labels: {kubernetes.io/hostname: b}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: a}
            spec: {driver: gpu.example.com, nodeName: a, devices: [{name: x}, {name: z}],
              pool: {name: a, generation: 1, resourceSliceCount: 1}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: b}
            spec: {driver: gpu.example.com, nodeName: b, devices: [{name: x}],
              pool: {name: b, generation: 1, resourceSliceCount: 1}}
            """;

    private static final String GPU =
            "containers: [{name: c}], resourceClaims: [{name: g, resourceClaimTemplateName: one}]";

    private static final String SHY =
            "containers: [{name: c}], affinity: {podAntiAffinity: {"
                    + "requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey:"
                    + " kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}]}}";

    @Test
    void podsAllocateDevicesInOrder() {
        var plan = planner().plan(scenario(GPU, 4));
        assertThat(nodes(plan)).containsExactly("a", "a", "b", "-");
        assertThat(plan.everythingFits()).isFalse();
        assertThat(plan.before().of("gpu").orElseThrow().total()).isEqualTo(new Utilisation(3, 0));
        assertThat(plan.after().of("gpu").orElseThrow().total()).isEqualTo(new Utilisation(3, 3));
        assertThat(plan.outcomes().getLast())
                .isInstanceOfSatisfying(
                        PlannedPod.Pending.class,
                        pending -> {
                            assertThat(pending.summary())
                                    .isEqualTo(
                                            "0/2 nodes are available: 2 cannot allocate all"
                                                    + " claims");
                            assertThat(pending.shortages())
                                    .containsExactly(new PlannedPod.Shortage("gpu", 1, 0, 3, 0));
                        });
    }

    @Test
    void claimsOfDifferentPodsAreDifferentClaims() {
        var claims =
                planner().plan(scenario(GPU, 2)).outcomes().stream()
                        .map(outcome -> ((PlannedPod.Placed) outcome).claims().getFirst().claim())
                        .toList();
        assertThat(claims).doesNotHaveDuplicates();
    }

    @Test
    void aPlacedPodChangesResultsOfOtherNodesForItsGroup() {
        assertThat(nodes(planner().plan(scenario(SHY, 3)))).containsExactly("a", "b", "-");
    }

    @Test
    void findsTheMinimalNumberOfNewNodes() {
        var plan = grown(scenario(GPU, 8), "a", 10);
        assertThat(plan.growth())
                .contains(new Plan.Growth(List.of(new Plan.Added("a", 10, 3)), true));
        assertThat(plan.everythingFits()).isTrue();
        assertThat(grown(scenario(GPU, 8), "a", 2).growth())
                .contains(new Plan.Growth(List.of(new Plan.Added("a", 2, 2)), false));
    }

    @Test
    void noNodesAreAddedWhenAllPodsFit() {
        assertThat(grown(scenario(GPU, 3), "a", 10).growth())
                .contains(new Plan.Growth(List.of(new Plan.Added("a", 10, 0)), true));
    }

    @Test
    void laterKindsOfNodesAreAddedOnlyWhenEarlierOnesAreNotEnough() {
        var scenario = scenario(GPU, 10);
        var kinds =
                List.of(
                        NodeCopies.of(scenario, "a", 2).orElseThrow(),
                        NodeCopies.of(scenario, "b", 10).orElseThrow());
        var plan = planner().plan(scenario, PlanChanges.NONE, kinds);
        assertThat(plan.growth())
                .contains(
                        new Plan.Growth(
                                List.of(new Plan.Added("a", 2, 2), new Plan.Added("b", 10, 3)),
                                true));
        assertThat(plan.everythingFits()).isTrue();
    }

    @Test
    void kindsOfNodesThatDoNotHelpAreNotAdded() {
        var scenario = scenario(GPU, 4);
        var useless =
                NodeCopies.of(
                        "empty",
                        (Node) read("{apiVersion: v1, kind: Node, metadata: {name: e}}").getFirst(),
                        List.of(),
                        List.of(),
                        5);
        var kinds = List.of(useless, NodeCopies.of(scenario, "b", 10).orElseThrow());
        assertThat(planner().plan(scenario, PlanChanges.NONE, kinds).growth())
                .contains(
                        new Plan.Growth(
                                List.of(new Plan.Added("empty", 5, 0), new Plan.Added("b", 10, 1)),
                                true));
    }

    private static Plan grown(PlanInput scenario, String node, int limit) {
        var copies = NodeCopies.of(scenario, node, limit).orElseThrow();
        return planner().plan(scenario, PlanChanges.NONE, List.of(copies));
    }

    @Test
    void utilisationBeforeIsThatWithoutNewNodes() {
        var plan = grown(scenario(GPU, 8), "a", 10);
        assertThat(plan.before().of("gpu").orElseThrow().total()).isEqualTo(new Utilisation(3, 0));
        assertThat(plan.after().of("gpu").orElseThrow().total()).isEqualTo(new Utilisation(9, 8));
    }

    @Test
    void missingObjectsAreNotedOncePerGroup() {
        var claim =
                "containers: [{name: c}], volumes: [{name: v, persistentVolumeClaim: {claimName:"
                        + " data}}]";
        assertThat(planner().plan(scenario(claim, 3)).notes())
                .containsExactly(
                        "group: missing from the input: PersistentVolumeClaim default/data; assumed"
                                + " to be accessible from every node");
    }

    @Test
    void aBlockedPodHasItsReason() {
        var missing = GPU.replace("Name: one", "Name: none");
        assertThat(planner().plan(scenario(missing, 1)).outcomes().getFirst())
                .isInstanceOfSatisfying(
                        PlannedPod.Pending.class,
                        pending ->
                                assertThat(pending.summary())
                                        .isEqualTo(
                                                "could not find ResourceClaimTemplate"
                                                        + " \"default/none\""));
    }

    private static List<String> nodes(Plan plan) {
        return plan.outcomes().stream()
                .map(outcome -> outcome instanceof PlannedPod.Placed placed ? placed.node() : "-")
                .toList();
    }

    private static Planner planner() {
        return new Planner(
                EnumSet.allOf(AllocatorFeature.class),
                PlacementPolicy.KUBERNETES,
                () -> "share",
                (_, _) -> {});
    }

    private static PlanInput scenario(String spec, int pods) {
        var objects = read(CLUSTER);
        var orders =
                IntStream.range(0, pods)
                        .mapToObj(i ->
                                "{apiVersion: v1, kind: Pod, metadata: {namespace: default, name:"
                                        + " p%d, labels: {app: web}}, spec: {%s}}"
                                                .formatted(i, spec))
                        .map(text -> new PlanInput.PendingPod("group", (Pod) read(text).getFirst()))
                        .toList();
        return new PlanInput(
                only(objects, Node.class),
                only(objects, ResourceSlice.class),
                only(objects, DeviceClass.class),
                List.of(),
                only(objects, ResourceClaim.class),
                only(objects, ResourceClaimTemplate.class),
                List.of(),
                orders,
                ClusterContext.UNKNOWN);
    }

    private static List<KubernetesObject> read(String yaml) {
        if (!(YamlReader.read(yaml) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException(yaml);
        }
        var objects = new ArrayList<KubernetesObject>();
        for (var document : documents) {
            objects.add(
                    new Codec()
                            .readTree((JsonObject) document.root(), UnknownFieldPolicy.STRICT)
                            .orThrow());
        }
        return objects;
    }

    private static <T> List<T> only(List<KubernetesObject> objects, Class<T> kind) {
        return objects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
