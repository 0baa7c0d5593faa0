package dev.berth.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.model.json.JsonObject;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests of nodes through the whole server: tokens, mirror pods, evictions.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodeAdmissionTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";

    private ApiServer server;
    private Http admin;
    private Http node;
    private String podUid = "";
    private String nodeUid = "";

    @BeforeAll
    void start(@TempDir Path directory) throws InterruptedException {
        server = RunningServer.inMemory(directory, settings -> settings);
        admin = Http.admin(server);
        node = Http.as(server, "system:node:n1", List.of("system:nodes"));
        Eventually.holds(() -> admin.get(ACCOUNTS + "/default").code() == 200);
        admin.post(ACCOUNTS, "{\"metadata\":{\"name\":\"bot\"}}");
        nodeUid =
                node.post("/api/v1/nodes", "{\"metadata\":{\"name\":\"n1\"}}")
                        .metadata()
                        .text("uid");
        podUid = admin.post(PODS, pod("mine", "n1")).metadata().text("uid");
        admin.post(PODS, pod("other", "n2"));
        assertThat(podUid).isNotEmpty();
    }

    @AfterAll
    void stop() {
        node.close();
        admin.close();
        server.close();
    }

    private static String pod(String name, String node) {
        return """
        {"metadata":{"name":"%s"},"spec":{"nodeName":"%s","serviceAccountName":"bot",
        "containers":[{"name":"c","image":"x"}],"volumes":[{"name":"t","projected":{"sources":[
        {"serviceAccountToken":{"path":"t","audience":"vault"}}]}}]}}
        """
                .formatted(name, node);
    }

    private static String tokenRequest(String spec) {
        return "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{"
                + spec
                + "}}";
    }

    private String boundToMine() {
        return ("\"boundObjectRef\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":\"mine\","
                        + "\"uid\":\"%s\"}")
                .formatted(podUid);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|node requested token not bound to a pod",
                "\"expirationSeconds\":4294967296|node requested token not bound to a pod",
                "\"boundObjectRef\":{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"name\":\"n1\"}"
                        + "|node requested token not bound to a pod",
                "\"boundObjectRef\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":\"mine\"}"
                        + "|node requested token with a pod binding without a uid",
                "\"audiences\":[\"bank\"],MINE|audience \"bank\" not found in pod spec volume",
                "\"audiences\":[\"vault\",\"bank\"],MINE|node may only request 0 or 1 audiences",
            })
    void nodeGetsNoTokenBeyondItsPods(String spec, String reason) {
        var body = tokenRequest(spec.replace("MINE", boundToMine()));

        var response = node.post(ACCOUNTS + "/bot/token", body);

        assertThat(response.code()).isEqualTo(403);
        assertThat(response.json().text("message"))
                .isEqualTo("serviceaccounts \"bot\" is forbidden: " + reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"``", "\"audiences\":[\"vault\"],"})
    void nodeGetsTheTokensThatItsPodUses(String audiences) {
        var response = node.post(ACCOUNTS + "/bot/token", tokenRequest(audiences + boundToMine()));

        assertThat(response.code()).isEqualTo(201);
    }

    @Test
    void longTokenLifetimesAreShortenedWithAWarning() {
        var response =
                admin.post(
                        ACCOUNTS + "/bot/token", tokenRequest("\"expirationSeconds\":4294967296"));

        assertThat(response.code()).isEqualTo(201);
        assertThat(response.header("Warning"))
                .isEqualTo(
                        "299 - \"requested expiration of 4294967296 seconds shortened to 86400"
                                + " seconds\"");
        var end =
                Instant.parse(response.json().objectOrEmpty("status").text("expirationTimestamp"));
        assertThat(end).isBefore(Instant.now().plus(Duration.ofDays(1)).plusSeconds(60));
    }

    @Test
    void nodeEvictsItsOwnPodsOnly() {
        admin.post(PODS, pod("leaving", "n1"));
        var body =
                "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\","
                        + "\"metadata\":{\"name\":\"%s\"}}";

        var own = node.post(PODS + "/leaving/eviction", body.formatted("leaving"));
        var other = node.post(PODS + "/other/eviction", body.formatted("other"));

        assertThat(own.code()).isEqualTo(201);
        assertThat(other.code()).isEqualTo(403);
        assertThat(other.json().text("message"))
                .isEqualTo(
                        "pods \"other\" is forbidden: node n1 can only evict pods with"
                                + " spec.nodeName set to itself");
    }

    private String mirror(String name, String node, String spec) {
        return """
        {"metadata":{"name":"%s","annotations":{"kubernetes.io/config.mirror":"x"},
        "ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"%s","uid":"%s",
        "controller":true}]},"spec":{"nodeName":"%s","containers":[{"name":"c","image":"x"}]%s}}
        """
                .formatted(name, node, nodeUid, node, spec);
    }

    @Test
    void nodeCreatesMirrorPods() {
        var created = node.post(PODS, mirror("static", "n1", ""));

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.json().objectOrEmpty("spec").has("serviceAccountName")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "n2|``",
                "n1|,\"serviceAccountName\":\"bot\"",
                "n1|,\"volumes\":[{\"name\":\"v\",\"secret\":{\"secretName\":\"s\"}}]",
                "n1|,\"volumes\":[{\"name\":\"v\",\"projected\":{\"sources\":["
                        + "{\"serviceAccountToken\":{\"path\":\"t\"}}]}}]",
                "n1|,\"volumes\":[{\"name\":\"v\","
                        + "\"persistentVolumeClaim\":{\"claimName\":\"k\"}}]",
            })
    void mirrorPodsGiveNodesAccessToNothing(String name, String spec) {
        assertThat(node.post(PODS, mirror("static-evil", name, spec)).code()).isEqualTo(403);
    }

    @Test
    void podOfAMissingServiceAccountIsRejected() {
        var body = pod("lost", "n1").replace("\"bot\"", "\"nope\"");

        var response = admin.post(PODS, body);

        assertThat(response.code()).isEqualTo(403);
        assertThat(response.json().text("message"))
                .isEqualTo(
                        "pods \"lost\" is forbidden: error looking up service account"
                                + " default/nope: serviceaccount \"nope\" not found");
    }

    @Test
    void podCanBeCreatedRightAfterItsNamespace() {
        for (var i = 0; i < 20; i++) {
            admin.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"fresh-%d\"}}".formatted(i));
            var response =
                    admin.post(
                            "/api/v1/namespaces/fresh-%d/pods".formatted(i),
                            """
                            {"metadata":{"name":"p"},"spec":{"containers":[
                            {"name":"c","image":"x"}]}}
                            """);

            assertThat(response.code()).isEqualTo(201);
            assertThat(spec(response).text("serviceAccountName")).isEqualTo("default");
        }
    }

    private static JsonObject spec(Http.Response response) {
        return response.json().objectOrEmpty("spec");
    }
}
