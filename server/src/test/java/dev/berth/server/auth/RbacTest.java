package dev.berth.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.access.AuthorizationDecision;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.access.User;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RbacTest {

    private static final String READER =
            """
            kind: ClusterRole
            metadata: {name: reader}
            rules:
            - {verbs: [get, list], apiGroups: [""], resources: [pods]}
            """;

    private static final User JANE = User.of("jane", "devs");

    private final TestCluster cluster = new TestCluster();

    private AuthorizationDecision decide(
            User user, String verb, String group, String what, String namespace) {
        var parts = what.split("/", 2);
        var access =
                AuthorizationRequest.ResourceAttributes.of(user, verb, group, parts[0], namespace);
        return cluster.rbac.decide(parts.length == 1 ? access : access.sub(parts[1]));
    }

    @Test
    void clusterRoleBindingAppliesToAllNamespaces() {
        cluster.put(READER)
                .put(
                        """
                        kind: ClusterRoleBinding
                        metadata: {name: readers}
                        roleRef: {kind: ClusterRole, name: reader}
                        subjects: [{kind: Group, name: devs}]
                        """);

        assertThat(decide(JANE, "list", "", "pods", "default").reason())
                .isEqualTo(
                        "RBAC: allowed by ClusterRoleBinding \"readers\" of ClusterRole"
                                + " \"reader\" to Group \"devs\"");
        assertThat(decide(JANE, "list", "", "pods", "").isAllowed()).isTrue();
        assertThat(decide(JANE, "delete", "", "pods", "default").isAllowed()).isFalse();
        assertThat(decide(User.of("joe"), "list", "", "pods", "").isAllowed()).isFalse();
    }

    @Test
    void roleBindingAppliesToItsNamespace() {
        cluster.put(READER)
                .put(
                        """
                        kind: RoleBinding
                        metadata: {name: readers, namespace: dev}
                        roleRef: {kind: ClusterRole, name: reader}
                        subjects: [{kind: ServiceAccount, name: bot}]
                        """);
        var bot = User.of("system:serviceaccount:dev:bot");

        assertThat(decide(bot, "get", "", "pods", "dev").reason())
                .isEqualTo(
                        "RBAC: allowed by RoleBinding \"readers/dev\" of ClusterRole \"reader\""
                                + " to ServiceAccount \"bot/dev\"");
        assertThat(decide(bot, "get", "", "pods", "prod").isAllowed()).isFalse();
        assertThat(decide(bot, "get", "", "pods", "").isAllowed()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "get, apps, deployments, x, true",
        "get, apps, deployments/scale, x, true",
        "get, batch, jobs/scale, x, true",
        "get, batch, jobs/status, x, false",
        "get, batch, jobs, x, false",
        "use, '', things, one, true",
        "use, '', things, two, false",
        "use, '', things, '', false",
        "delete, wild, anything, x, true",
        "delete, wild, anything/below, x, true",
        "update, '', pods/status, x, true",
        "update, '', pods, x, false",
        "update, '', pods/statu, x, false",
        "update, '', ods/status, x, false",
    })
    void ruleWildcardsAndNamesMatch(
            String verb, String group, String what, String name, boolean allowed) {
        cluster.put(
                """
                kind: ClusterRole
                metadata: {name: many}
                rules:
                - {verbs: [get], apiGroups: [apps], resources: [deployments]}
                - {verbs: ["*"], apiGroups: ["*"], resources: ["*/scale"]}
                - {verbs: [use], apiGroups: [""], resources: [things], resourceNames: [one]}
                - {verbs: ["*"], apiGroups: [wild], resources: ["*"]}
                - {verbs: [update], apiGroups: [""], resources: [pods/status]}
                ---
                kind: ClusterRoleBinding
                metadata: {name: many}
                roleRef: {kind: ClusterRole, name: many}
                subjects: [{kind: User, name: jane}]
                """);
        var parts = what.split("/", 2);
        var access =
                AuthorizationRequest.ResourceAttributes.of(JANE, verb, group, parts[0], "ns")
                        .named(name);

        var decision = cluster.rbac.decide(parts.length == 1 ? access : access.sub(parts[1]));

        assertThat(decision.isAllowed()).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({"/livez, true", "/livez/ping, true", "/livezz, true", "/metrics, true"})
    void nonResourceUrlsMatchByPrefix(String path, boolean allowed) {
        cluster.put(
                """
                kind: ClusterRole
                metadata: {name: urls}
                rules: [{verbs: [get], nonResourceURLs: [/livez*, /metrics]}]
                ---
                kind: ClusterRoleBinding
                metadata: {name: urls}
                roleRef: {kind: ClusterRole, name: urls}
                subjects: [{kind: User, name: jane}]
                """);

        assertThat(
                        cluster.rbac
                                .decide(
                                        new AuthorizationRequest.NonResourceAttributes(
                                                JANE, "get", path))
                                .isAllowed())
                .isEqualTo(allowed);
        assertThat(
                        cluster.rbac
                                .decide(
                                        new AuthorizationRequest.NonResourceAttributes(
                                                JANE, "get", path + "*x"))
                                .isAllowed())
                .isEqualTo(path.startsWith("/livez"));
    }

    @Test
    void changesApplyToTheNextDecision() {
        cluster.put(READER);
        assertThat(decide(JANE, "get", "", "pods", "a").isAllowed()).isFalse();

        cluster.put(
                """
                kind: RoleBinding
                metadata: {name: b, namespace: a}
                roleRef: {kind: ClusterRole, name: reader}
                subjects: [{kind: User, name: jane}]
                """);
        assertThat(decide(JANE, "get", "", "pods", "a").isAllowed()).isTrue();

        cluster.delete("rbac.authorization.k8s.io/rolebindings", "a", "b");
        assertThat(decide(JANE, "get", "", "pods", "a").isAllowed()).isFalse();
    }

    @Test
    void compactedChangesAreRecoveredByListing() {
        cluster.put(READER);
        assertThat(decide(JANE, "get", "", "pods", "a").isAllowed()).isFalse();
        cluster.put(
                """
                kind: ClusterRoleBinding
                metadata: {name: b}
                roleRef: {kind: ClusterRole, name: reader}
                subjects: [{kind: User, name: jane}]
                """);
        cluster.store.compact(cluster.store.revision());

        assertThat(decide(JANE, "get", "", "pods", "a").isAllowed()).isTrue();
    }

    @Test
    void missingRoleIsPartOfTheReason() {
        cluster.put(
                """
                kind: ClusterRoleBinding
                metadata: {name: b}
                roleRef: {kind: ClusterRole, name: gone}
                subjects: [{kind: User, name: jane}]
                """);
        var access =
                AuthorizationRequest.ResourceAttributes.of(JANE, "list", "", "pods", "default");

        assertThat(ForbiddenMessages.error(access, cluster.rbac.decide(access)).message())
                .isEqualTo(
                        "pods is forbidden: User \"jane\" cannot list resource \"pods\" in API"
                                + " group \"\" in the namespace \"default\": RBAC:"
                                + " clusterrole.rbac.authorization.k8s.io \"gone\" not found");
    }

    @Test
    void forbiddenMessagesNameTheResource() {
        var no = AuthorizationDecision.noOpinion("");
        var slices =
                AuthorizationRequest.ResourceAttributes.of(
                                JANE, "get", "resource.k8s.io", "resourceslices", "")
                        .named("a");

        assertThat(ForbiddenMessages.error(slices, no).message())
                .isEqualTo(
                        "resourceslices.resource.k8s.io \"a\" is forbidden: User \"jane\" cannot"
                                + " get resource \"resourceslices\" in API group"
                                + " \"resource.k8s.io\" at the cluster scope");
        assertThat(
                        ForbiddenMessages.error(
                                        new AuthorizationRequest.NonResourceAttributes(
                                                JANE, "get", "/x"),
                                        no)
                                .message())
                .isEqualTo("forbidden: User \"jane\" cannot get path \"/x\"");
    }

    @Test
    void aggregatedRolesFollowLabels() {
        cluster.put(
                        """
                        kind: ClusterRole
                        metadata: {name: sum, labels: {part-of: more}}
                        aggregationRule: {clusterRoleSelectors: [{matchLabels: {part-of: sum}}]}
                        ---
                        kind: ClusterRole
                        metadata: {name: more, labels: {part-of: sum}}
                        aggregationRule:
                          clusterRoleSelectors:
                          - matchExpressions: [{key: part-of, operator: In, values: [more]}]
                        ---
                        kind: ClusterRoleBinding
                        metadata: {name: b}
                        roleRef: {kind: ClusterRole, name: sum}
                        subjects: [{kind: User, name: jane}]
                        """)
                .put(READER.replace("{name: reader}", "{name: r, labels: {part-of: more}}"));

        assertThat(decide(JANE, "get", "", "pods", "a").isAllowed()).isTrue();

        cluster.keeper().updateAggregatedRoles();
        assertThat(cluster.rbac.rulesOfRole("ClusterRole", "sum", "").orElseThrow())
                .extracting(PolicyRule::toString)
                .containsExactly(
                        "{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"get\" \"list\"]}");
    }

    @Test
    void mastersAreAllowedEverything() {
        var chain = Authorizers.chain(java.util.List.of(Authorizers::masters, cluster.rbac));
        var root = User.of("root", User.MASTERS);

        assertThat(
                        chain.decide(
                                        AuthorizationRequest.ResourceAttributes.of(
                                                root, "x", "y", "z", ""))
                                .isAllowed())
                .isTrue();
        assertThat(
                        chain.decide(
                                        AuthorizationRequest.ResourceAttributes.of(
                                                JANE, "x", "y", "z", ""))
                                .isAllowed())
                .isFalse();
    }

    @Test
    void decisionTimeIsIndependentOfTheNumberOfBindings() {
        cluster.put(READER);
        IntStream.range(0, 2000)
                .forEach(i ->
                        cluster.put(
                                """
                                kind: RoleBinding
                                metadata: {name: b, namespace: ns-%d}
                                roleRef: {kind: ClusterRole, name: reader}
                                subjects: [{kind: User, name: user-%d}]
                                """
                                        .formatted(i, i)));
        var access =
                AuthorizationRequest.ResourceAttributes.of(
                        User.of("user-7"), "get", "", "pods", "ns-7");
        assertThat(cluster.rbac.decide(access).isAllowed()).isTrue();
        for (var i = 0; i < 20_000; i++) {
            cluster.rbac.decide(access);
        }

        var start = System.nanoTime();
        for (var i = 0; i < 10_000; i++) {
            cluster.rbac.decide(access);
        }
        var micros = (System.nanoTime() - start) / 10_000 / 1000;

        // An indexed lookup takes about one microsecond; a scan of all bindings would take
        // hundreds.
        assertThat(micros).isLessThan(50);
    }
}
