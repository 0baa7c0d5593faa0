package dev.berth.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.access.User;
import dev.berth.server.registry.StoredObjects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefaultRolesTest {

    private static final String CLUSTER_ROLES = "rbac.authorization.k8s.io/clusterroles";
    private static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster =
                new TestCluster()
                        .withDefaults()
                        .put(binding("berth-reader"))
                        .put(binding("view"))
                        .put(binding("edit"))
                        .put(binding("admin"));
    }

    private static String binding(String role) {
        return """
        kind: RoleBinding
        metadata: {name: %s, namespace: team}
        roleRef: {kind: ClusterRole, name: %s}
        subjects: [{kind: User, name: %s}]
        """
                .formatted(role, role, role);
    }

    @ParameterizedTest
    @CsvSource({
        "view, list, resource.k8s.io, resourceclaims, true",
        "view, get, resource.k8s.io, resourceclaims/status, true",
        "view, list, resource.k8s.io, resourceclaimtemplates, true",
        "view, create, resource.k8s.io, resourceclaims, false",
        "view, list, resource.k8s.io, resourceslices, false",
        "view, list, resource.k8s.io, deviceclasses, false",
        "view, get, '', secrets, false",
        "view, get, '', pods/log, true",
        "edit, create, resource.k8s.io, resourceclaims, true",
        "edit, list, resource.k8s.io, resourceclaims, true",
        "edit, update, resource.k8s.io, resourceclaims/status, false",
        "edit, update, resource.k8s.io, resourceclaims/binding, false",
        "edit, deletecollection, resource.k8s.io, resourceclaimtemplates, true",
        "edit, create, resource.k8s.io, resourceslices, false",
        "edit, get, '', secrets, true",
        "edit, create, rbac.authorization.k8s.io, roles, false",
        "admin, create, rbac.authorization.k8s.io, roles, true",
        "admin, create, '', pods, true",
        "admin, update, '', resourcequotas, false",
        "system:kube-scheduler, update, resource.k8s.io, resourceclaims/status, true",
        "system:kube-scheduler, patch, resource.k8s.io, resourceclaims/binding, true",
        "system:kube-scheduler, list, resource.k8s.io, resourceslices, true",
        "system:kube-scheduler, delete, resource.k8s.io, resourceslices, false",
        "system:kube-scheduler, create, '', pods/binding, true",
        "system:kube-scheduler, get, '', secrets, false",
        "berth-reader, list, resource.k8s.io, resourceslices, true",
        "berth-reader, watch, resource.k8s.io, devicetaintrules, true",
        "berth-reader, list, '', events, true",
        "berth-reader, list, apps, replicasets, true",
        "berth-reader, get, '', secrets, false",
        "berth-reader, get, '', configmaps, false",
        "berth-reader, create, '', pods, false",
        "C resource-claim-controller, update, resource.k8s.io, resourceclaims/binding, true",
        "C resource-claim-controller, update, '', pods/status, true",
        "C resource-claim-controller, delete, '', pods, false",
        "C device-taint-eviction-controller, delete, '', pods, true",
        "C device-taint-eviction-controller, patch, resource.k8s.io, devicetaintrules/status, true",
        "C device-taint-eviction-controller, update, resource.k8s.io, resourceclaims, false",
        "C resourcepoolstatusrequest-controller, delete, resource.k8s.io,"
                + " resourcepoolstatusrequests, true",
        "C generic-garbage-collector, delete, example.com, widgets, true",
        "C namespace-controller, deletecollection, example.com, widgets, true",
    })
    void defaultRolesMatchKubernetes(
            String who, String verb, String group, String what, boolean allowed) {
        var user =
                who.startsWith("C ")
                        ? User.of("system:serviceaccount:kube-system:" + who.substring(2))
                        : User.of(who);
        var parts = what.split("/", 2);
        var access =
                AuthorizationRequest.ResourceAttributes.of(user, verb, group, parts[0], "team");

        assertThat(
                        cluster.rbac
                                .decide(parts.length == 1 ? access : access.sub(parts[1]))
                                .isAllowed())
                .isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "/livez, true, true",
        "/version, true, true",
        "/readyz, true, true",
        "/api, false, true",
        "/apis/resource.k8s.io/v1, false, true",
        "/openapi/v3, false, true",
        "/metrics, false, false",
        "/openid/v1/jwks, false, false",
    })
    void anonymousUsersSeeHealthAndVersionOnly(String path, boolean anonymous, boolean known) {
        var access = new AuthorizationRequest.NonResourceAttributes(User.anonymous(), "get", path);
        assertThat(cluster.rbac.decide(access).isAllowed()).isEqualTo(anonymous);

        var jane = User.of("jane", "system:authenticated");
        assertThat(
                        cluster.rbac
                                .decide(
                                        new AuthorizationRequest.NonResourceAttributes(
                                                jane, "get", path))
                                .isAllowed())
                .isEqualTo(known);
    }

    @Test
    void nodeRoleHasNoSubjects() {
        var node = User.of("system:node:a", "system:nodes", "system:authenticated");
        assertThat(
                        cluster.rbac
                                .decide(
                                        AuthorizationRequest.ResourceAttributes.of(
                                                node, "get", "", "secrets", "team"))
                                .isAllowed())
                .isFalse();
    }

    @Test
    void aggregatedRolesHaveRules() {
        var admin = role(cluster, "admin");

        assertThat(admin.objects("rules")).hasSizeGreaterThan(20);
        assertThat(
                        admin.objectOrEmpty("metadata")
                                .objectOrEmpty("labels")
                                .text("kubernetes.io/bootstrapping"))
                .isEqualTo("rbac-defaults");
        assertThat(PolicyRule.allOf(admin)).containsAll(PolicyRule.allOf(role(cluster, "view")));
    }

    @Test
    void everyBoundRoleExists() {
        for (var object : DefaultRoles.all()) {
            object.object("roleRef")
                    .ifPresent(ref ->
                            assertThat(
                                            cluster.rbac.rulesOfRole(
                                                    ref.text("kind"),
                                                    ref.text("name"),
                                                    object.objectOrEmpty("metadata")
                                                            .text("namespace")))
                                    .as(ref.toString())
                                    .isPresent());
        }
    }

    @Test
    void secondReconcileChangesNothing() {
        var fresh = new TestCluster().withDefaults();
        var revision = fresh.store.revision();

        fresh.keeper().reconcile();

        assertThat(fresh.store.revision()).isEqualTo(revision);
    }

    @Test
    void reconcileRestoresRemovedAndKeepsAddedRules() {
        var fresh = new TestCluster().withDefaults();
        fresh.put(
                """
                kind: ClusterRole
                metadata: {name: "system:basic-user"}
                rules: [{verbs: [get], apiGroups: [""], resources: [pods]}]
                """);

        fresh.keeper().reconcile();

        assertThat(PolicyRule.allOf(role(fresh, "system:basic-user"))).hasSize(3);
    }

    @Test
    void autoupdateAnnotationDisablesReconcile() {
        var fresh = new TestCluster().withDefaults();
        fresh.put(
                """
                kind: ClusterRole
                metadata:
                  name: "system:basic-user"
                  annotations: {rbac.authorization.kubernetes.io/autoupdate: "false"}
                rules: []
                """);

        fresh.keeper().reconcile();

        assertThat(role(fresh, "system:basic-user").objects("rules")).isEmpty();
    }

    private static JsonObject role(TestCluster cluster, String name) {
        return new StoredObjects(cluster.store).get(CLUSTER_ROLES, "", name).orElseThrow();
    }
}
