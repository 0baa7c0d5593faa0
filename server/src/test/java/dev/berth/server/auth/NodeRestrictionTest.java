package dev.berth.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.server.access.AuthorizationDecision;
import dev.berth.server.access.User;
import dev.berth.server.auth.NodeRestriction.Operation;
import dev.berth.server.registry.StoredObjects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeRestrictionTest {

    private static final String MIRROR =
            """
            metadata:
              name: m
              annotations: {kubernetes.io/config.mirror: "1"}
              ownerReferences:
              - {apiVersion: v1, kind: Node, name: a, uid: node-uid, controller: true}
            spec: {nodeName: a}
            """;

    private final TestCluster cluster = new TestCluster();
    private final NodeRestriction restriction =
            new NodeRestriction(
                    new StoredObjects(cluster.store), _ -> AuthorizationDecision.noOpinion(""));

    @BeforeEach
    void makeNodes() {
        cluster.put(
                """
                kind: Node
                metadata: {name: a, uid: node-uid}
                ---
                kind: Pod
                metadata: {name: mine, namespace: ns, uid: pod-uid}
                spec: {nodeName: a, serviceAccountName: bot}
                ---
                kind: Pod
                metadata: {name: theirs, namespace: ns, uid: other-uid}
                spec: {nodeName: b}
                """);
    }

    private String problem(
            Operation operation, String resource, String sub, String name, String... objects) {
        var old = operation == Operation.CREATE ? "" : objects[0];
        var sent =
                switch (operation) {
                    case CREATE -> objects[0];
                    case UPDATE -> objects[1];
                    case DELETE -> "";
                };
        var namespace = resource.startsWith("lease") ? "kube-node-lease" : "ns";
        var write =
                new NodeRestriction.WriteRequest(
                        operation, resource, sub, namespace, name, parsed(old), parsed(sent));
        return restriction.problem(NodeIdentity.user("a"), write).orElse("");
    }

    private static Optional<JsonObject> parsed(String yaml) {
        return yaml.isEmpty() ? Optional.empty() : Optional.of(TestCluster.object(yaml));
    }

    @Test
    void nodeMayCreateItsOwnMirrorPods() {
        assertThat(problem(Operation.CREATE, "pods", "", "", MIRROR)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "kubernetes.io/config.mirror; other; can only create mirror pods",
                "spec: {nodeName: a}; spec: {nodeName: b}; spec.nodeName set to itself",
                "name: a, uid; name: b, uid; an owner reference set to itself",
                "controller: true; controller: false; a controller owner reference set to itself",
                "node-uid; old-uid; node a UID mismatch: expected old-uid got node-uid",
                "controller: true; controller: true, blockOwnerDeletion: true;"
                        + " must not set blockOwnerDeletion",
                "{nodeName: a}; {nodeName: a, serviceAccountName: x}; reference a service account",
                "{nodeName: a}; {nodeName: a, imagePullSecrets: [{name: x}]}; reference secrets",
                "{nodeName: a}; {nodeName: a, resourceClaims: [{name: x}]};"
                        + " reference resourceclaims",
                "{nodeName: a}; {nodeName: a, volumes: [{persistentVolumeClaim: {claimName: x}}]};"
                        + " reference persistentvolumeclaims",
            })
    void mirrorPodsAreRestricted(String from, String to, String problem) {
        var pod = MIRROR.replace(from, to);

        assertThat(pod).isNotEqualTo(MIRROR);
        assertThat(problem(Operation.CREATE, "pods", "", "", pod)).contains(problem);
    }

    @Test
    void nodeDeletesAndEvictsItsOwnPodsOnly() {
        assertThat(problem(Operation.DELETE, "pods", "", "x", "spec: {nodeName: a}")).isEmpty();
        assertThat(problem(Operation.DELETE, "pods", "", "x", "spec: {nodeName: b}"))
                .isEqualTo("node \"a\" can only delete pods with spec.nodeName set to itself");
        assertThat(problem(Operation.CREATE, "pods", "eviction", "mine", "{}")).isEmpty();
        assertThat(problem(Operation.CREATE, "pods", "eviction", "theirs", "{}"))
                .contains("can only evict pods");
        assertThat(problem(Operation.UPDATE, "pods", "", "x", "{}", "{}"))
                .contains("can only create and delete mirror pods");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "status: {phase: Running}; ''",
                "status: {resourceClaimStatuses: []}; ''",
                "status: {resourceClaimStatuses: [{name: x}]}; status.resourceClaimStatuses",
                "status: {extendedResourceClaimStatus: {resourceClaimName: x}};"
                        + " status.extendedResourceClaimStatus",
                "status: {nodeAllocatableResourceClaimStatuses: [{}]};"
                        + " status.nodeAllocatableResourceClaimStatuses",
                "metadata: {labels: {x: y}}; labels through pod status",
            })
    void nodeMayUpdatePodStatusButNotClaimStatuses(String change, String problem) {
        var old = "spec: {nodeName: a}\n";

        assertThat(problem(Operation.UPDATE, "pods", "status", "x", old, old + change))
                .contains(problem);
        assertThat(problem(Operation.UPDATE, "pods", "status", "x", old, old + change).isEmpty())
                .isEqualTo(problem.isEmpty());
        assertThat(problem(Operation.UPDATE, "pods", "status", "x", "{}", change))
                .contains("can only update pod status");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{kubernetes.io/hostname: x}; ''",
                "{node.kubernetes.io/anything: x}; ''",
                "{example.com/rack: x}; ''",
                "{plain: x}; ''",
                "{node-restriction.kubernetes.io/safe: x}; node-restriction.kubernetes.io/safe",
                "{x.node-restriction.kubernetes.io/y: x}; x.node-restriction.kubernetes.io/y",
                "{node-role.kubernetes.io/control-plane: x};"
                        + " node-role.kubernetes.io/control-plane",
                "{foo.k8s.io/bar: x}; foo.k8s.io/bar",
            })
    void nodeMayNotSetRestrictedLabels(String labels, String forbidden) {
        var node = "metadata: {name: a, labels: " + labels + "}";

        var onCreate = problem(Operation.CREATE, "nodes", "", "", node);
        var onUpdate = problem(Operation.UPDATE, "nodes", "", "a", "metadata: {name: a}", node);

        assertThat(onCreate).contains(forbidden);
        assertThat(onUpdate).contains(forbidden);
        assertThat(onCreate.isEmpty()).isEqualTo(forbidden.isEmpty());
        assertThat(onUpdate.isEmpty()).isEqualTo(forbidden.isEmpty());
    }

    @Test
    void nodeMayNotModifyOtherNodesOrTaints() {
        assertThat(problem(Operation.UPDATE, "nodes", "status", "b", "{}", "{}"))
                .isEqualTo("node \"a\" is not allowed to modify node \"b\"");
        assertThat(
                        problem(
                                Operation.UPDATE,
                                "nodes",
                                "",
                                "a",
                                "spec: {taints: [{key: x}]}",
                                "spec: {}"))
                .isEqualTo("node \"a\" is not allowed to modify taints");
    }

    @Test
    void slicesMustHaveTheNameOfTheNode() {
        var slices = "resourceslices.resource.k8s.io";

        assertThat(problem(Operation.CREATE, slices, "", "", "spec: {nodeName: a}")).isEmpty();
        assertThat(problem(Operation.CREATE, slices, "", "", "spec: {nodeName: b}"))
                .contains("can only create ResourceSlice");
        assertThat(problem(Operation.CREATE, slices, "", "", "spec: {allNodes: true}"))
                .isNotEmpty();
        assertThat(problem(Operation.DELETE, slices, "", "x", "spec: {nodeName: a}")).isEmpty();
        assertThat(problem(Operation.DELETE, slices, "", "x", "spec: {nodeName: b}"))
                .contains("can only delete ResourceSlice");
    }

    @Test
    void leasesAndCsiNodesMustHaveTheNameOfTheNode() {
        assertThat(problem(Operation.CREATE, "leases.coordination.k8s.io", "", "", named("a")))
                .isEmpty();
        assertThat(problem(Operation.CREATE, "leases.coordination.k8s.io", "", "", named("b")))
                .contains("same name as the requesting node");
        assertThat(problem(Operation.CREATE, "csinodes.storage.k8s.io", "", "", named("b")))
                .contains("same name as the requesting node");
    }

    private static String named(String name) {
        return "metadata: {name: " + name + "}";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{apiVersion: v1, kind: Pod, name: mine, uid: pod-uid}; ''",
                "{apiVersion: v1, kind: Pod, name: mine}; without a uid",
                "{apiVersion: v1, kind: Pod, name: mine, uid: x}; does not match the UID",
                "{apiVersion: v1, kind: Pod, name: theirs, uid: other-uid}; a different node",
                "{apiVersion: v1, kind: Node, name: a, uid: node-uid}; not bound to a pod",
                "{}; not bound to a pod",
            })
    void tokensMustBeBoundToPodsOfTheNode(String ref, String problem) {
        var found =
                problem(
                        Operation.CREATE,
                        "serviceaccounts",
                        "token",
                        "bot",
                        "spec: {boundObjectRef: " + ref + "}");

        assertThat(found).contains(problem);
        assertThat(found.isEmpty()).isEqualTo(problem.isEmpty());
    }

    @Test
    void nodeMayUpdateResizeFieldsOfVolumeClaimsOnly() {
        var old = "spec: {x: 1}\n";

        assertThat(
                        problem(
                                Operation.UPDATE,
                                "persistentvolumeclaims",
                                "status",
                                "d",
                                old,
                                old + "status: {capacity: {storage: 1Gi}}"))
                .isEmpty();
        assertThat(
                        problem(
                                Operation.UPDATE,
                                "persistentvolumeclaims",
                                "status",
                                "d",
                                old,
                                old + "status: {phase: Lost}"))
                .contains("is not allowed to update fields other than");
    }

    @Test
    void otherUsersAreNotRestricted() {
        var write =
                new NodeRestriction.WriteRequest(
                        Operation.DELETE,
                        "pods",
                        "",
                        "ns",
                        "x",
                        parsed("spec: {nodeName: b}"),
                        Optional.empty());

        assertThat(restriction.problem(User.of("jane"), write)).isEmpty();
    }
}
