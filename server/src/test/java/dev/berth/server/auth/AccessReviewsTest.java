package dev.berth.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.admission.StatusAuthorization;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.Authorizer;
import dev.berth.server.access.User;
import dev.berth.server.auth.Impersonation.Outcome;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.StoredObjects;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessReviewsTest {

    private static final User JANE = User.of("jane", "devs", "system:authenticated");
    private static final User ROOT = User.of("root", User.MASTERS, "system:authenticated");
    private static final List<String> AUDIENCES = List.of("https://here");

    @TempDir private Path data;
    private final TestCluster cluster = new TestCluster().withDefaults();
    private final StoredObjects objects = new StoredObjects(cluster.store);
    private final Authorizer authorizer =
            Authorizers.chain(
                    List.of(Authorizers::masters, new NodeAuthorizer(cluster.store), cluster.rbac));
    private SigningKey key;
    private AccessReviews reviews;

    @BeforeEach
    void start() {
        key = SigningKey.open(data);
        var tokens = new ServiceAccountTokens(key, "https://here", objects);
        reviews = new AccessReviews(authorizer, cluster.rbac, tokens, AUDIENCES, Clock.systemUTC());
        cluster.put(
                """
                kind: RoleBinding
                metadata: {name: viewers, namespace: ns}
                roleRef: {kind: ClusterRole, name: view}
                subjects: [{kind: Group, name: devs}]
                ---
                kind: ServiceAccount
                metadata: {name: bot, namespace: ns, uid: bot-uid}
                """);
    }

    private static JsonObject review(String spec) {
        return TestCluster.object("spec: " + spec);
    }

    @Test
    void selfSubjectAccessReview() {
        var spec = "{resourceAttributes: {namespace: ns, verb: list, resource: pods}}";

        var status = reviews.selfSubjectAccess(review(spec), JANE).objectOrEmpty("status");

        assertThat(status.flag("allowed")).contains(true);
        assertThat(status.text("reason"))
                .isEqualTo(
                        "RBAC: allowed by RoleBinding \"viewers/ns\" of ClusterRole \"view\" to"
                                + " Group \"devs\"");
    }

    @Test
    void subjectAccessReview() {
        var what = "resourceAttributes: {namespace: ns, verb: delete, resource: pods}";

        assertThat(
                        reviews.subjectAccess(review("{user: jane, groups: [devs], " + what + "}"))
                                .objectOrEmpty("status")
                                .flag("allowed"))
                .contains(false);
        assertThat(
                        reviews.localSubjectAccess(
                                        review("{groups: ['system:masters'], " + what + "}"), "ns")
                                .objectOrEmpty("status")
                                .flag("allowed"))
                .contains(true);
    }

    @Test
    void selectorsOfReviewsAreEvaluated() {
        var spec =
                """
                {user: "system:node:a", groups: ["system:nodes"],
                 resourceAttributes: {verb: list, resource: pods,
                  fieldSelector: {requirements: [{key: spec.nodeName, operator: In, values: [a]}]}}}
                """;

        assertThat(reviews.subjectAccess(review(spec)).objectOrEmpty("status").flag("allowed"))
                .contains(true);
    }

    @Test
    void invalidReviewsAreRejected() {
        assertThatThrownBy(() -> reviews.subjectAccess(review("{}")))
                .hasMessageContaining("exactly one of nonResourceAttributes or")
                .hasMessageContaining("at least one of user or group must be specified");
        assertThatThrownBy(() ->
                        reviews.localSubjectAccess(
                                review(
                                        "{user: u, resourceAttributes: {namespace: other,"
                                                + " verb: get, resource: pods}}"),
                                "ns"))
                .hasMessageContaining("must match metadata.namespace");
        assertThatThrownBy(() -> reviews.selfSubjectRules(review("{}"), JANE))
                .hasMessageContaining("no namespace on request");
    }

    @Test
    void selfSubjectRulesReview() {
        var status =
                reviews.selfSubjectRules(review("{namespace: ns}"), JANE).objectOrEmpty("status");

        assertThat(status.objects("resourceRules"))
                .extracting(rule -> rule.strings("resources"))
                .anySatisfy(resources -> assertThat(resources).contains("resourceclaims"));
        assertThat(status.objects("nonResourceRules")).isNotEmpty();
        assertThat(status.flag("incomplete")).contains(false);

        var all = reviews.selfSubjectRules(review("{namespace: x}"), ROOT).objectOrEmpty("status");
        assertThat(all.objects("resourceRules").getFirst().strings("verbs")).containsExactly("*");
    }

    @Test
    void selfSubjectReview() {
        var user = new User("jane", "u1", List.of("devs"), Map.of("k", List.of("v")));

        var info =
                AccessReviews.selfSubject(JsonObject.EMPTY, user)
                        .objectOrEmpty("status")
                        .objectOrEmpty("userInfo");

        assertThat(info.text("username")).isEqualTo("jane");
        assertThat(info.text("uid")).isEqualTo("u1");
        assertThat(info.objectOrEmpty("extra").strings("k")).containsExactly("v");
    }

    @Test
    void tokensAreReviewed() {
        var account = objects.get("serviceaccounts", "ns", "bot").orElseThrow();
        var token =
                new TokenIssuer(key, "https://here", AUDIENCES, objects, () -> "id")
                        .issue(account, JsonObject.EMPTY, Clock.systemUTC().instant())
                        .objectOrEmpty("status")
                        .text("token");

        var good = reviews.token(review("{token: " + token + "}")).objectOrEmpty("status");
        assertThat(good.flag("authenticated")).contains(true);
        assertThat(good.objectOrEmpty("user").text("username"))
                .isEqualTo("system:serviceaccount:ns:bot");
        assertThat(good.strings("audiences")).isEqualTo(AUDIENCES);

        var other =
                reviews.token(review("{token: " + token + ", audiences: [vault]}"))
                        .objectOrEmpty("status");
        assertThat(other.flag("authenticated")).isEmpty();
        assertThat(other.text("error")).contains("invalid for the target audiences [\"vault\"]");

        var bad = reviews.token(review("{token: secret-text}")).objectOrEmpty("status");
        assertThat(bad.text("error")).isEqualTo("invalid bearer token");
    }

    private Outcome as(User caller, String... namesAndValues) {
        var headers = new java.util.TreeMap<String, List<String>>();
        for (var i = 0; i < namesAndValues.length; i += 2) {
            headers.put(namesAndValues[i], List.of(namesAndValues[i + 1].split(",")));
        }
        return Impersonation.of(headers, caller, authorizer);
    }

    @Test
    void mastersMayImpersonateEveryUser() {
        var outcome =
                as(
                        ROOT,
                        "Impersonate-User",
                        "joe",
                        "impersonate-group",
                        "x,y",
                        "Impersonate-Uid",
                        "7",
                        "Impersonate-Extra-Example.com%2Fscope",
                        "a");

        assertThat(outcome)
                .isEqualTo(
                        new Outcome.Effective(
                                new User(
                                        "joe",
                                        "7",
                                        List.of("x", "y", "system:authenticated"),
                                        Map.of("example.com/scope", List.of("a")))));
        assertThat(as(ROOT, "Accept", "x")).isEqualTo(new Outcome.Effective(ROOT));
        assertThat(as(ROOT, "Impersonate-User", "system:anonymous"))
                .isEqualTo(new Outcome.Effective(User.anonymous()));
        assertThat(
                        ((Outcome.Effective)
                                        as(ROOT, "Impersonate-User", "system:serviceaccount:a:b"))
                                .user())
                .extracting(User::groups)
                .isEqualTo(
                        List.of(
                                "system:serviceaccounts",
                                "system:serviceaccounts:a",
                                "system:authenticated"));
    }

    @ParameterizedTest
    @CsvSource({
        "Impersonate-User, joe, cannot impersonate resource \"users\" in API group \"\"",
        "Impersonate-User, system:serviceaccount:kube-system:root,"
                + " cannot impersonate resource \"serviceaccounts\" in API group \"\"",
        "Impersonate-Group, system:masters, without impersonating a user",
    })
    void impersonationRequiresPermission(String header, String value, String message) {
        var outcome = as(JANE, header, value);

        assertThat(((Outcome.Rejected) outcome).error().message()).contains(message);
    }

    @Test
    void everyImpersonatedGroupMustBeAllowed() {
        cluster.put(
                """
                kind: ClusterRole
                metadata: {name: as-joe}
                rules: [{verbs: [impersonate], apiGroups: [""], resources: [users],
                         resourceNames: [joe]}]
                ---
                kind: ClusterRoleBinding
                metadata: {name: as-joe}
                roleRef: {kind: ClusterRole, name: as-joe}
                subjects: [{kind: User, name: jane}]
                """);

        assertThat(as(JANE, "Impersonate-User", "joe")).isInstanceOf(Outcome.Effective.class);
        assertThat(as(JANE, "Impersonate-User", "joe", "Impersonate-Group", "system:masters"))
                .isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void rolesWithMorePermissionsThanTheUserAreRejected() {
        var escalation = new EscalationCheck(cluster.rbac, authorizer);
        var role =
                TestCluster.object(
                        """
                        kind: Role
                        metadata: {name: r, namespace: ns}
                        rules:
                        - {verbs: [get, delete, watch, patch], apiGroups: [""], resources: [pods]}
                        """);

        assertThat(escalation.checkRole(JANE, Optional.empty(), role).map(ApiError::message))
                .contains(
                        "roles.rbac.authorization.k8s.io \"r\" is forbidden: user \"jane\""
                                + " (groups=[\"devs\" \"system:authenticated\"]) is attempting to"
                                + " grant RBAC permissions not currently held:\n"
                                + "{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"delete\""
                                + " \"patch\"]}");
        assertThat(escalation.checkRole(JANE, Optional.of(role), role)).isEmpty();
        assertThat(escalation.checkRole(ROOT, Optional.empty(), role)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"view, true", "edit, false", "cluster-admin, false", "missing, false"})
    void bindingsToRolesWithMorePermissionsAreRejected(String role, boolean allowed) {
        var escalation = new EscalationCheck(cluster.rbac, authorizer);
        var binding =
                TestCluster.object(
                        """
                        kind: RoleBinding
                        metadata: {name: b, namespace: ns}
                        roleRef: {kind: ClusterRole, name: %s}
                        subjects: [{kind: User, name: jane}]
                        """
                                .formatted(role));

        assertThat(escalation.checkBinding(JANE, Optional.empty(), binding).isEmpty())
                .isEqualTo(allowed);
    }

    @Test
    void escalateAndBindVerbsAllowIt() {
        cluster.put(
                """
                kind: ClusterRole
                metadata: {name: trusted}
                rules:
                - {verbs: [escalate], apiGroups: [rbac.authorization.k8s.io], resources: [roles]}
                - verbs: [bind]
                  apiGroups: [rbac.authorization.k8s.io]
                  resources: [clusterroles]
                  resourceNames: [edit]
                ---
                kind: ClusterRoleBinding
                metadata: {name: trusted}
                roleRef: {kind: ClusterRole, name: trusted}
                subjects: [{kind: User, name: jane}]
                """);
        bindingsToRolesWithMorePermissionsAreRejected("edit", true);
        bindingsToRolesWithMorePermissionsAreRejected("cluster-admin", false);
        var role =
                TestCluster.object(
                        """
                        kind: Role
                        metadata: {name: r, namespace: ns}
                        rules: [{verbs: ["*"], apiGroups: ["*"], resources: ["*"]}]
                        """);
        assertThat(
                        new EscalationCheck(cluster.rbac, authorizer)
                                .checkRole(JANE, Optional.empty(), role))
                .isEmpty();
    }

    @Test
    void aggregationRulesRequireClusterAdmin() {
        var role =
                TestCluster.object(
                        """
                        kind: ClusterRole
                        metadata: {name: r}
                        aggregationRule: {clusterRoleSelectors: [{}]}
                        """);

        assertThat(
                        new EscalationCheck(cluster.rbac, authorizer)
                                .checkRole(JANE, Optional.empty(), role)
                                .map(ApiError::message)
                                .orElse(""))
                .contains("must have cluster-admin privileges to use an aggregationRule");
    }

    @Test
    void statusAuthorizationChecksSubresources() {
        var claim =
                TestCluster.object(
                        "{metadata: {name: c, namespace: ns}, status: {allocation: {devices:"
                                + " {}}}}");
        var old = TestCluster.object("{metadata: {name: c, namespace: ns}}");
        var scheduler = User.of("system:kube-scheduler", "system:authenticated");

        assertThat(problems(scheduler, old, claim)).isEmpty();
        assertThat(problems(JANE, old, claim))
                .singleElement()
                .asString()
                .contains("status.allocation: Forbidden")
                .contains(
                        "permission: resourceclaims.resource.k8s.io is forbidden: User \"jane\""
                                + " cannot update resource \"resourceclaims/binding\" in API group"
                                + " \"resource.k8s.io\" at the cluster scope");
    }

    private List<dev.berth.core.admission.field.FieldError> problems(
            User user, JsonObject old, JsonObject claim) {
        return new StatusAuthorization(
                        Authorizers.caller(user), "update", Authorizers.ofClaims(user, authorizer))
                .check(old, claim);
    }
}
