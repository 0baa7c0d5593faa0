package dev.berth.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.certificate.Pem;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.User;
import dev.berth.server.auth.Authenticator.Outcome;
import dev.berth.server.registry.StoredObjects;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.interfaces.ECPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokensTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final String ISSUER = "https://kubernetes.default.svc.cluster.local";
    private static final List<String> AUDIENCES = List.of(ISSUER);

    private static final String BOUND =
            "spec: {boundObjectRef: {apiVersion: v1, kind: Pod, name: p, uid: pod-uid}}";

    @TempDir private Path data;
    private final TestCluster cluster = new TestCluster();
    private final StoredObjects objects = new StoredObjects(cluster.store);
    private SigningKey key;

    @BeforeEach
    void start() {
        key = SigningKey.open(data);
        cluster.put(
                """
                kind: ServiceAccount
                metadata: {name: bot, namespace: ns, uid: bot-uid}
                ---
                kind: Pod
                metadata: {name: p, namespace: ns, uid: pod-uid}
                spec: {nodeName: a, serviceAccountName: bot}
                ---
                kind: Node
                metadata: {name: a, uid: node-uid}
                """);
    }

    private JsonObject issued(String request) {
        return new TokenIssuer(key, ISSUER, AUDIENCES, objects, () -> "id-1")
                .issue(account(), TestCluster.object(request), NOW);
    }

    private JsonObject account() {
        return objects.get("serviceaccounts", "ns", "bot").orElseThrow();
    }

    private String token(String request) {
        return issued(request).objectOrEmpty("status").text("token");
    }

    private Outcome authenticated(String token, Duration later) {
        var clock = Clock.fixed(NOW.plus(later), ZoneOffset.UTC);
        var tokens = new ServiceAccountTokens(key, ISSUER, objects);
        return new Authenticator(tokens, AUDIENCES, clock)
                .authenticate(Optional.empty(), Optional.of("Bearer " + token));
    }

    @Test
    void boundTokenContainsPodAndNode() {
        var outcome = authenticated(token(BOUND), Duration.ofMinutes(5));

        assertThat(outcome).isInstanceOf(Outcome.Authenticated.class);
        var user = ((Outcome.Authenticated) outcome).user();
        assertThat(user.name()).isEqualTo("system:serviceaccount:ns:bot");
        assertThat(user.uid()).isEqualTo("bot-uid");
        assertThat(user.groups())
                .containsExactly(
                        "system:serviceaccounts",
                        "system:serviceaccounts:ns",
                        "system:authenticated");
        assertThat(user.extra())
                .containsEntry("authentication.kubernetes.io/pod-name", List.of("p"))
                .containsEntry("authentication.kubernetes.io/pod-uid", List.of("pod-uid"))
                .containsEntry("authentication.kubernetes.io/node-name", List.of("a"))
                .containsEntry("authentication.kubernetes.io/node-uid", List.of("node-uid"))
                .containsEntry("authentication.kubernetes.io/credential-id", List.of("JTI=id-1"));
    }

    @Test
    void responseContainsAudiencesAndExpiry() {
        var answer = issued("spec: {audiences: [vault], expirationSeconds: 700}");

        assertThat(answer.text("kind")).isEqualTo("TokenRequest");
        assertThat(answer.objectOrEmpty("spec").strings("audiences")).containsExactly("vault");
        assertThat(answer.objectOrEmpty("status").text("expirationTimestamp"))
                .isEqualTo("2026-03-01T12:11:40Z");
    }

    @Test
    void tokenExpires() {
        var token = token("{}");

        assertThat(authenticated(token, Duration.ofSeconds(3599)))
                .isInstanceOf(Outcome.Authenticated.class);
        assertThat(authenticated(token, Duration.ofHours(1))).isInstanceOf(Outcome.Rejected.class);
        assertThat(authenticated(token, Duration.ofMinutes(-1)))
                .isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void tokenForAnotherAudienceIsRejected() {
        assertThat(authenticated(token("spec: {audiences: [vault]}"), Duration.ZERO))
                .isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void tokenIsInvalidAfterItsPodIsDeleted() {
        var token = token(BOUND);
        cluster.delete("pods", "ns", "p");

        assertThat(authenticated(token, Duration.ZERO)).isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void tokenIsInvalidAfterItsAccountIsRecreated() {
        var token = token("{}");
        cluster.put(
                """
                kind: ServiceAccount
                metadata: {name: bot, namespace: ns, uid: new-uid}
                """);

        assertThat(authenticated(token, Duration.ZERO)).isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void tokenOfTerminatingPodIsValidForAGracePeriod() {
        var token = token(BOUND);
        cluster.put(
                """
                kind: Pod
                metadata:
                  {name: p, namespace: ns, uid: pod-uid, deletionTimestamp: "2026-03-01T12:00:00Z"}
                spec: {nodeName: a, serviceAccountName: bot}
                """);

        assertThat(authenticated(token, Duration.ofSeconds(30)))
                .isInstanceOf(Outcome.Authenticated.class);
        assertThat(authenticated(token, Duration.ofSeconds(90)))
                .isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void manipulatedTokensAreRejected() {
        var good = token("{}");
        var parts = good.split("\\.", -1);
        var other = SigningKey.open(data.resolve("other"));
        var stolenHead =
                other.signed(JsonObject.EMPTY.with("sub", dev.berth.model.json.Json.of("x")));
        var none = encoded("{\"alg\":\"none\"}");
        var noneWithId = encoded(decoded(parts[0]).replace("ES256", "none"));
        var admin = decoded(parts[1]).replace("system:serviceaccount:ns:bot", "system:admin");

        assertThat(authenticated(good, Duration.ZERO)).isInstanceOf(Outcome.Authenticated.class);
        for (var hostile :
                List.of(
                        "",
                        "x",
                        "..",
                        "a.b.c",
                        good + ".",
                        good.substring(0, good.length() - 4),
                        parts[0] + "." + parts[1] + ".",
                        none + "." + parts[1] + ".",
                        none + "." + parts[1] + "." + parts[2],
                        noneWithId + "." + parts[1] + "." + parts[2],
                        encoded("{\"alg\":\"HS256\"}") + "." + parts[1] + "." + parts[2],
                        encoded("{\"alg\":\"ES256\",\"kid\":\"other\"}")
                                + "."
                                + parts[1]
                                + "."
                                + parts[2],
                        parts[0] + "." + encoded(admin) + "." + parts[2],
                        parts[0] + "." + parts[1] + "." + "A".repeat(86),
                        parts[0] + "." + parts[1] + "." + stolenHead.split("\\.", -1)[2],
                        stolenHead,
                        "é.é.é",
                        "a".repeat(100_000))) {
            assertThat(authenticated(hostile, Duration.ZERO))
                    .as(hostile.substring(0, Math.min(80, hostile.length())))
                    .isInstanceOf(Outcome.Rejected.class);
        }
    }

    @Test
    void inconsistentClaimsAreRejected() {
        var claims =
                """
                {"iss": "%s", "aud": "%s", "exp": 9999999999, "nbf": 1,
                 "sub": "system:serviceaccount:kube-system:root",
                 "kubernetes.io": {"namespace": "ns",
                                   "serviceaccount": {"name": "bot", "uid": "bot-uid"}}}
                """
                        .formatted(ISSUER, ISSUER);
        var honest = claims.replace("kube-system:root", "ns:bot");

        assertThat(authenticated(key.signed(TestCluster.object(honest)), Duration.ZERO))
                .isInstanceOf(Outcome.Authenticated.class);
        for (var wrong :
                List.of(
                        claims,
                        honest.replace("\"exp\": 9999999999,", ""),
                        honest.replace("\"nbf\": 1", "\"nbf\": 9999999998"),
                        honest.replace("\"nbf\": 1,", ""),
                        honest.replace("\"iss\": \"https", "\"iss\": \"http"),
                        honest.replace("bot-uid", ""))) {
            assertThat(authenticated(key.signed(TestCluster.object(wrong)), Duration.ZERO))
                    .as(wrong)
                    .isInstanceOf(Outcome.Rejected.class);
        }
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String decoded(String part) {
        return new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{expirationSeconds: 599}; may not specify a duration less than 10 minutes",
                "{expirationSeconds: 4294967297}; may not specify a duration larger than",
                "{boundObjectRef: {apiVersion: v1, kind: Pod, name: q}}; pods \"q\" not found",
                "{boundObjectRef: {apiVersion: v1, kind: Pod, name: p, uid: x}};"
                        + " does not match the UID in record",
                "{boundObjectRef: {apiVersion: v1, kind: Service, name: p}};"
                        + " cannot bind token to object of type v1, Kind=Service",
            })
    void invalidTokenRequestsAreRejected(String spec, String message) {
        assertThatThrownBy(() -> issued("spec: " + spec)).hasMessageContaining(message);
    }

    @Test
    void tokenIsNotBoundToThePodOfAnotherAccount() {
        cluster.put(
                """
                kind: Pod
                metadata: {name: p, namespace: ns, uid: pod-uid}
                spec: {nodeName: a, serviceAccountName: other}
                """);

        assertThatThrownBy(() -> issued(BOUND))
                .hasMessageContaining("running with different serviceaccount name");
    }

    @Test
    void keyIsReopened() {
        var token = token("{}");
        key = SigningKey.open(data);

        assertThat(authenticated(token, Duration.ZERO)).isInstanceOf(Outcome.Authenticated.class);
    }

    @Test
    void mismatchedKeyFilesAreReported() throws Exception {
        SigningKey.open(data.resolve("other"));
        Files.copy(
                data.resolve("other/sa.pub"),
                data.resolve("sa.pub"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);

        assertThatThrownBy(() -> SigningKey.open(data))
                .isInstanceOf(PkiException.class)
                .hasMessageContaining("the keys do not match; restore both");
    }

    @Test
    void keySetContainsThePublicKeyOnly() throws Exception {
        var published = key.keySet().objects("keys").getFirst();
        var point = ((ECPublicKey) Pem.publicKey(Files.readString(data.resolve("sa.pub")))).getW();

        assertThat(published.names()).containsExactly("use", "kty", "kid", "crv", "alg", "x", "y");
        assertThat(new java.math.BigInteger(1, Base64.getUrlDecoder().decode(published.text("x"))))
                .isEqualTo(point.getAffineX());
        assertThat(SigningKey.discovery(ISSUER).text("jwks_uri"))
                .isEqualTo(ISSUER + "/openid/v1/jwks");
    }

    @Test
    void otherSchemesAreRejectedAndNoCredentialsAreAnonymous() {
        var tokens = new ServiceAccountTokens(key, ISSUER, objects);
        var authenticator = new Authenticator(tokens, AUDIENCES, Clock.systemUTC());

        assertThat(authenticator.authenticate(Optional.empty(), Optional.of("Basic YTpi")))
                .isInstanceOf(Outcome.Rejected.class);
        assertThat(authenticator.authenticate(Optional.empty(), Optional.empty()))
                .isEqualTo(new Outcome.Authenticated(User.anonymous()));
    }

    @Test
    void certificateAuthenticatesWhileItIsValid() {
        var authority =
                CertificateAuthority.open(data.resolve("pki"), Clock.fixed(NOW, ZoneOffset.UTC));
        var jane = authority.issueClient("jane", List.of("devs")).certificate();
        var tokens = new ServiceAccountTokens(key, ISSUER, objects);

        var now = new Authenticator(tokens, AUDIENCES, Clock.fixed(NOW, ZoneOffset.UTC));
        var outcome = now.authenticate(Optional.of(jane), Optional.empty());
        assertThat(((Outcome.Authenticated) outcome).user().name()).isEqualTo("jane");
        assertThat(((Outcome.Authenticated) outcome).user().groups())
                .containsExactly("devs", "system:authenticated");

        var later = Clock.fixed(NOW.plus(Duration.ofDays(366)), ZoneOffset.UTC);
        assertThat(
                        new Authenticator(tokens, AUDIENCES, later)
                                .authenticate(Optional.of(jane), Optional.empty()))
                .isInstanceOf(Outcome.Rejected.class);
    }
}
