package dev.berth.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.access.AuthorizationDecision;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.access.User;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeAuthorizerTest {

    private static final String RESOURCE = "resource.k8s.io";

    private final TestCluster cluster = new TestCluster();
    private final NodeAuthorizer authorizer = new NodeAuthorizer(cluster.store);

    @BeforeEach
    void runPods() {
        cluster.put(
                """
                kind: Pod
                metadata: {name: p, namespace: ns}
                spec:
                  nodeName: a
                  serviceAccountName: bot
                  imagePullSecrets: [{name: pull}]
                  resourceClaims: [{name: x, resourceClaimName: direct}, {name: y}]
                  containers:
                  - env: [{valueFrom: {secretKeyRef: {name: key}}}]
                    envFrom: [{configMapRef: {name: map}}]
                  volumes:
                  - {name: v, secret: {secretName: volume}}
                  - {name: w, persistentVolumeClaim: {claimName: disk}}
                  - {name: e, ephemeral: {}}
                  - {name: c, csi: {nodePublishSecretRef: {name: csi, namespace: elsewhere}}}
                status:
                  resourceClaimStatuses: [{name: y, resourceClaimName: made}]
                  extendedResourceClaimStatus: {resourceClaimName: extended}
                ---
                kind: Pod
                metadata: {name: q, namespace: ns}
                spec: {nodeName: b, serviceAccountName: other, imagePullSecrets: [{name: theirs}]}
                ---
                kind: Pod
                metadata:
                  name: m
                  namespace: ns
                  annotations: {kubernetes.io/config.mirror: "1"}
                spec: {nodeName: a, imagePullSecrets: [{name: mirrored}]}
                """);
    }

    @BeforeEach
    void makeVolumesAndSlices() {
        cluster.put(
                """
                kind: PersistentVolumeClaim
                metadata: {name: disk, namespace: ns}
                spec: {volumeName: pv}
                ---
                kind: PersistentVolume
                metadata: {name: pv}
                spec:
                  claimRef: {namespace: ns, name: disk}
                  csi:
                    nodeStageSecretRef: {name: stage, namespace: storage}
                    controllerPublishSecretRef: {name: attach, namespace: storage}
                ---
                kind: ResourceSlice
                metadata: {name: slice-a}
                spec: {nodeName: a}
                ---
                kind: ResourceSlice
                metadata: {name: slice-b}
                spec: {nodeName: b}
                ---
                kind: VolumeAttachment
                metadata: {name: va}
                spec: {nodeName: a}
                """);
    }

    private AuthorizationDecision decide(
            String verb, String group, String what, String namespace, String name) {
        var parts = what.split("/", 2);
        var access =
                AuthorizationRequest.ResourceAttributes.of(
                                NodeIdentity.user("a"), verb, group, parts[0], namespace)
                        .named(name);
        return authorizer.decide(parts.length == 1 ? access : access.sub(parts[1]));
    }

    @ParameterizedTest
    @CsvSource({
        "secrets, ns, pull, true",
        "secrets, ns, key, true",
        "secrets, ns, volume, true",
        "secrets, ns, csi, true",
        "secrets, elsewhere, csi, false",
        "secrets, storage, stage, true",
        "secrets, storage, attach, false",
        "secrets, ns, theirs, false",
        "secrets, ns, mirrored, false",
        "secrets, other, pull, false",
        "secrets, ns, '', false",
        "configmaps, ns, map, true",
        "configmaps, ns, key, false",
        "persistentvolumeclaims, ns, disk, true",
        "persistentvolumeclaims, ns, p-e, true",
        "persistentvolumes, '', pv, true",
        "persistentvolumes, '', nothing, false",
        "pods, ns, p, true",
        "pods, ns, q, false",
    })
    void nodeReadsObjectsOfItsPods(String what, String namespace, String name, boolean allowed) {
        assertThat(decide("get", "", what, namespace, name).isAllowed()).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "get, resourceclaims, ns, direct, true",
        "get, resourceclaims, ns, made, true",
        "get, resourceclaims, ns, extended, true",
        "get, resourceclaims, ns, unknown, false",
        "list, resourceclaims, ns, direct, false",
        "update, resourceclaims, ns, direct, false",
        "get, resourceclaims/status, ns, direct, false",
        "create, resourceslices, '', '', true",
        "get, resourceslices, '', slice-a, true",
        "delete, resourceslices, '', slice-a, true",
        "delete, resourceslices, '', slice-b, false",
        "list, resourceslices, '', '', false",
        "deletecollection, resourceslices, '', '', false",
        "get, deviceclasses, '', x, false",
    })
    void nodeReadsClaimsOfItsPodsAndItsOwnSlices(
            String verb, String what, String namespace, String name, boolean allowed) {
        assertThat(decide(verb, RESOURCE, what, namespace, name).isAllowed()).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "list; resource.k8s.io; resourceslices; spec.nodeName=a; true",
                "deletecollection; resource.k8s.io; resourceslices; spec.nodeName==a; true",
                "list; resource.k8s.io; resourceslices; spec.nodeName=b; false",
                "list; resource.k8s.io; resourceslices; spec.nodeName!=a; false",
                "watch; ''; pods; spec.nodeName=a,status.phase!=Failed; true",
                "watch; ''; pods; status.phase!=x\\,spec.nodeName=a; false",
                "list; ''; pods; metadata.name=p; true",
                "list; ''; pods; metadata.name=q; false",
                "list; ''; nodes; metadata.name=a; true",
                "list; ''; nodes; metadata.name=b; false",
                "watch; ''; secrets; metadata.name=pull; true",
            })
    void listsRequireAFieldSelectorForTheNode(
            String verb, String group, String what, String selector, boolean allowed) {
        var namespace = what.equals("nodes") || !group.isEmpty() ? "" : "ns";
        var access =
                new AuthorizationRequest.ResourceAttributes(
                        NodeIdentity.user("a"),
                        verb,
                        group,
                        "v1",
                        what,
                        "",
                        namespace,
                        "",
                        selector,
                        "");

        assertThat(authorizer.decide(access).isAllowed()).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "create, '', serviceaccounts/token, ns, bot, true",
        "create, '', serviceaccounts/token, ns, other, false",
        "get, '', serviceaccounts, ns, bot, false",
        "update, coordination.k8s.io, leases, kube-node-lease, a, true",
        "update, coordination.k8s.io, leases, kube-node-lease, b, false",
        "create, coordination.k8s.io, leases, kube-node-lease, '', true",
        "update, coordination.k8s.io, leases, kube-system, a, false",
        "list, coordination.k8s.io, leases, kube-node-lease, '', false",
        "patch, storage.k8s.io, csinodes, '', a, true",
        "patch, storage.k8s.io, csinodes, '', b, false",
        "get, storage.k8s.io, volumeattachments, '', va, true",
        "get, '', nodes, '', a, true",
        "get, '', nodes, '', b, false",
        "list, '', nodes, '', '', false",
        "patch, '', nodes/status, '', a, true",
        "delete, '', nodes, '', a, false",
        "create, '', pods, ns, '', true",
        "create, '', pods/eviction, ns, p, true",
        "patch, '', pods/status, ns, p, true",
        "update, '', pods, ns, p, false",
        "create, '', events, ns, '', true",
        "list, '', services, '', '', true",
        "list, storage.k8s.io, csidrivers, '', '', true",
        "list, apps, deployments, ns, '', false",
    })
    void nodeWritesItsOwnObjects(
            String verb,
            String group,
            String what,
            String namespace,
            String name,
            boolean allowed) {
        assertThat(decide(verb, group, what, namespace, name).isAllowed()).isEqualTo(allowed);
    }

    @Test
    void deletedPodRevokesAccessToItsSecrets() {
        assertThat(decide("get", "", "secrets", "ns", "pull").isAllowed()).isTrue();

        cluster.put(
                """
                kind: Pod
                metadata: {name: p, namespace: ns}
                spec: {nodeName: a, imagePullSecrets: [{name: another}]}
                """);
        assertThat(decide("get", "", "secrets", "ns", "pull").isAllowed()).isFalse();
        assertThat(decide("get", "", "secrets", "ns", "another").isAllowed()).isTrue();

        cluster.delete("pods", "ns", "p");
        assertThat(decide("get", "", "secrets", "ns", "another").reason())
                .isEqualTo("no relationship found between node 'a' and this object");
    }

    @Test
    void noOpinionOnOtherUsers() {
        var impostor = User.of("system:node:a", "devs");
        var access =
                AuthorizationRequest.ResourceAttributes.of(impostor, "get", "", "pods", "ns")
                        .named("p");

        assertThat(authorizer.decide(access)).isEqualTo(AuthorizationDecision.noOpinion(""));
    }

    @Test
    void decisionTimeIsIndependentOfTheNumberOfPods() {
        for (var i = 0; i < 5000; i++) {
            cluster.put(
                    """
                    kind: Pod
                    metadata: {name: p-%d, namespace: ns}
                    spec: {nodeName: node-%d, imagePullSecrets: [{name: s-%d}]}
                    """
                            .formatted(i, i % 100, i));
        }
        var user = NodeIdentity.user("node-7");
        var access =
                AuthorizationRequest.ResourceAttributes.of(user, "get", "", "secrets", "ns")
                        .named("s-107");
        assertThat(authorizer.decide(access).isAllowed()).isTrue();
        for (var i = 0; i < 20_000; i++) {
            authorizer.decide(access);
        }

        var start = System.nanoTime();
        for (var i = 0; i < 10_000; i++) {
            authorizer.decide(access);
        }

        // An indexed lookup takes a microsecond or two; a scan of all pods would take hundreds.
        assertThat((System.nanoTime() - start) / 10_000 / 1000).isLessThan(50);
    }
}
