package dev.berth.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import dev.berth.server.http.ServerLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Status codes and messages of rejected requests.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RejectedRequestsTest {

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private ApiServer server;
    private Http http;

    @BeforeAll
    void start(@TempDir Path directory) {
        server = RunningServer.inMemory(directory, settings -> settings);
        http = Http.admin(server);
    }

    @AfterAll
    void stop() {
        http.close();
        server.close();
    }

    private static void assertRejected(Http.Response response, int code, String reason) {
        assertThat(response.code()).as(response.text()).isEqualTo(code);
        var status = response.json();
        assertThat(status.text("kind")).isEqualTo("Status");
        assertThat(status.text("apiVersion")).isEqualTo("v1");
        assertThat(status.text("status")).isEqualTo("Failure");
        assertThat(status.text("reason")).isEqualTo(reason);
        assertThat(status.number("code")).hasValue(code);
        assertThat(status.text("message")).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/livez", "/readyz", "/healthz", "/version", "/livez/ping"})
    void anonymousClientsSeeHealthAndVersion(String path) {
        try (var anonymous = Http.anonymous(server)) {
            assertThat(anonymous.get(path).code()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                MAPS,
                "/api",
                "/apis",
                "/openapi/v2",
                "/openapi/v3",
                "/metrics",
                "/",
                "/nothing",
                "/.well-known/openid-configuration"
            })
    void otherPathsRequireAuthorization(String path) {
        try (var anonymous = Http.anonymous(server)) {
            assertRejected(anonymous.get(path), 403, "Forbidden");
        }
    }

    @Test
    void invalidTokensAreUnauthorized() {
        try (var anonymous = Http.anonymous(server)) {
            var response = anonymous.get(MAPS, "Authorization", "Bearer nonsense");
            assertRejected(response, 401, "Unauthorized");
            assertThat(response.header("WWW-Authenticate")).startsWith("Bearer");
            assertRejected(
                    anonymous.get("/version", "Authorization", "Bearer x.y.z"),
                    401,
                    "Unauthorized");
        }
    }

    @Test
    void forbiddenMessagesNameUserVerbAndResource() {
        try (var bob = Http.as(server, "bob", List.of())) {
            var response = bob.get(MAPS + "/a");
            assertRejected(response, 403, "Forbidden");
            assertThat(response.json().text("message"))
                    .isEqualTo(
                            "configmaps \"a\" is forbidden: User \"bob\" cannot get resource"
                                    + " \"configmaps\" in API group \"\" in the namespace"
                                    + " \"default\"");
            assertRejected(bob.get(MAPS, "Impersonate-User", "admin"), 403, "Forbidden");
            assertThat(bob.get("/api").code()).isEqualTo(200);
        }
    }

    @Test
    void missingObjectsAndPathsAreNotFound() {
        assertRejected(http.get(MAPS + "/none"), 404, "NotFound");
        assertRejected(http.get("/api/v1/namespaces/default/nothings"), 404, "NotFound");
        assertRejected(http.get("/apis/example.com/v9/things"), 404, "NotFound");
        assertRejected(http.get("/apis/resource.k8s.io/v7"), 404, "NotFound");
        assertRejected(http.get("/nothing"), 404, "NotFound");
        assertRejected(http.get(MAPS + "/a/status"), 404, "NotFound");
        assertRejected(http.post("/api/v1/namespaces/none/configmaps", "{}"), 404, "NotFound");
        assertThat(http.get(MAPS + "/none").json().text("message"))
                .isEqualTo("configmaps \"none\" not found");
    }

    @Test
    void unsupportedMethodsAreNotAllowed() {
        assertRejected(http.put(MAPS, "{}"), 405, "MethodNotAllowed");
        assertRejected(http.post(MAPS + "/a", "{}"), 405, "MethodNotAllowed");
        assertRejected(http.post("/api/v1/configmaps", "{}"), 405, "MethodNotAllowed");
        assertRejected(http.send("OPTIONS", MAPS, ""), 405, "MethodNotAllowed");
        assertRejected(http.post("/version", "{}"), 405, "MethodNotAllowed");
        assertRejected(
                http.get("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"),
                405,
                "MethodNotAllowed");
    }

    @Test
    void unsupportedMediaTypesAreRejected() {
        var html = http.get(MAPS, "Accept", "text/html");
        assertRejected(html, 406, "NotAcceptable");
        assertRejected(
                http.post(MAPS, "a=b", "Content-Type", "application/x-www-form-urlencoded"),
                415,
                "UnsupportedMediaType");
        assertRejected(
                http.patch(MAPS + "/kube-root-ca.crt", "odd", "{}"), 415, "UnsupportedMediaType");
        assertRejected(
                http.post(MAPS, "k8s", "Content-Type", "application/vnd.kubernetes.protobuf"),
                400,
                "BadRequest");
    }

    @Test
    void malformedBodiesAreRejected() {
        for (var body : List.of("{", "[]", "1", "null", "{\"data\":[1]}", "{\"kind\":\"Pod\"}")) {
            assertRejected(http.post(MAPS, body), 400, "BadRequest");
        }
        assertRejected(http.post(MAPS, "{\"metadata\":{\"namespace\":\"x\"}}"), 400, "BadRequest");
        assertRejected(http.get(MAPS + "?labelSelector=a+in"), 400, "BadRequest");
        assertRejected(http.get(MAPS + "?fieldSelector=a"), 400, "BadRequest");
        assertRejected(http.get(MAPS + "?fieldSelector=spec.a%3Db"), 400, "BadRequest");
        assertRejected(http.get(MAPS + "?limit=many"), 400, "BadRequest");
        assertRejected(http.get(MAPS + "?watch=perhaps"), 400, "BadRequest");
        assertRejected(http.patch(MAPS + "/kube-root-ca.crt", "json", "{}"), 400, "BadRequest");
    }

    @Test
    void validationErrorsNameTheFields() {
        var response = http.post(MAPS, "{\"metadata\":{\"name\":\"A_b\",\"labels\":{\"-\":\"\"}}}");
        assertRejected(response, 422, "Invalid");
        var details = response.json().objectOrEmpty("details");
        assertThat(details.text("kind")).isEqualTo("ConfigMap");
        assertThat(details.text("name")).isEqualTo("A_b");
        assertThat(details.objects("causes"))
                .extracting(cause -> cause.text("reason") + " " + cause.text("field"))
                .containsExactly(
                        "FieldValueInvalid metadata.name", "FieldValueInvalid metadata.labels");
        assertRejected(http.post(MAPS, "{}"), 422, "Invalid");
    }

    @Test
    void limitsAreEnforced(@TempDir Path directory) {
        var limits = ServerLimits.DEFAULT.withWatches(0).withBodyBytes(1000).withHeaderBytes(8192);
        try (var small = RunningServer.inMemory(directory, one -> one.withLimits(limits));
                var admin = Http.admin(small);
                var client = Http.as(small, "alice", List.of())) {
            var large = "{\"data\":{\"a\":\"%s\"}}".formatted("x".repeat(2000));
            assertRejected(admin.post(MAPS, large), 413, "RequestEntityTooLarge");
            admin.post(
                    "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                    """
                    {"metadata": {"name": "a"},
                     "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole",
                                 "name": "view"},
                     "subjects": [{"kind": "User", "name": "alice"}]}
                    """);
            var response = client.get(MAPS + "?watch=1");
            assertRejected(response, 429, "TooManyRequests");
            assertThat(response.header("Retry-After")).isEqualTo("1");
            assertThat(response.json().objectOrEmpty("details").number("retryAfterSeconds"))
                    .hasValue(1);
        }
        var none = ServerLimits.DEFAULT.withSeats(0).withQueueLength(0);
        try (var small =
                        RunningServer.inMemory(
                                directory.resolve("none"), one -> one.withLimits(none));
                var admin = Http.admin(small);
                var client = Http.as(small, "alice", List.of())) {
            assertRejected(client.post(MAPS, "{}"), 429, "TooManyRequests");
            assertThat(admin.get(MAPS).code()).isEqualTo(200);
            assertThat(client.get("/readyz").code()).isEqualTo(200);
        }
    }

    @Test
    void secretsAndTokensAreNotLogged() {
        var lines = new ArrayList<String>();
        var handler = new RecordingHandler(lines);
        var root = Logger.getLogger("");
        root.addHandler(handler);
        try {
            var secret = "{\"metadata\":{\"name\":\"s\"},\"stringData\":{\"k\":\"hush-hush\"}}";
            http.post("/api/v1/namespaces/default/secrets", secret);
            http.post("/api/v1/namespaces/default/secrets", secret.replace("\"s\"", "[]"));
            http.get(MAPS, "Authorization", "Bearer hush-hush");
            http.get(MAPS + "?token=hush-hush");
        } finally {
            root.removeHandler(handler);
        }
        assertThat(lines).noneMatch(line -> line.contains("hush-hush"));
    }

    /// A log handler that keeps all records.
    private static final class RecordingHandler extends Handler {
        private final List<String> lines;

        private RecordingHandler(List<String> lines) {
            this.lines = lines;
        }

        @Override
        public synchronized void publish(LogRecord line) {
            lines.add(line.getMessage() + line.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
