package dev.berth.client.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.Kubeconfig;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.HttpCluster;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.server.ApiServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Client authentication and verification of the server.
class AuthenticationTest {

    private static final ResourcePath REVIEWS =
            new ResourcePath("authentication.k8s.io", "v1", "selfsubjectreviews");

    @TempDir private Path directory;

    private ApiServer server;

    @BeforeEach
    void start() {
        server = ApiServer.start(Servers.memory(directory));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void execPluginCertificatesAuthenticate() throws IOException {
        var ada = server.authority().client("ada", "ada", List.of("people"));
        var status =
                JsonObject.of("clientCertificateData", Json.of(ada.certificatePem()))
                        .with("clientKeyData", Json.of(ada.keyPem()));
        var credential =
                JsonObject.of("apiVersion", Json.of("client.authentication.k8s.io/v1"))
                        .with("kind", Json.of("ExecCredential"))
                        .with("status", status);
        Files.writeString(directory.resolve("credential"), JsonWriter.compact(credential));
        var script = directory.resolve("plugin");
        Files.writeString(script, "#!/bin/sh\nexec cat \"$(dirname \"$0\")/credential\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        assertThat(
                        user(
                                access(
                                        "{exec: {apiVersion: client.authentication.k8s.io/v1,"
                                                + " command: ./plugin}}",
                                        authority())))
                .isEqualTo("ada");
    }

    @Test
    void serviceAccountsAuthenticate() throws IOException {
        var accounts = new ResourcePath("", "v1", "serviceaccounts");
        var folder = Files.createDirectory(directory.resolve("account"));
        try (var admin = Servers.cluster(server, directory)) {
            var request =
                    Servers.tree(
                            """
                            {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
                             "spec": {"expirationSeconds": 3600}}
                            """);
            var account =
                    Servers.tree(
                            """
                            {"apiVersion": "v1", "kind": "ServiceAccount",
                             "metadata": {"name": "robot", "namespace": "default"}}
                            """);
            admin.send(Request.Create.of(accounts, "default", account));
            var made =
                    admin.send(new Request.Create(accounts, "default", "robot", "token", request));
            assertThat(made).isInstanceOf(RequestResult.Done.class);
            var token = ((RequestResult.Done) made).object().objectOrEmpty("status").text("token");
            Files.writeString(folder.resolve("token"), token);
            Files.writeString(folder.resolve("ca.crt"), server.authority().certificatePem());
        }
        var environment =
                Map.of(
                        "KUBERNETES_SERVICE_HOST",
                        "127.0.0.1",
                        "KUBERNETES_SERVICE_PORT",
                        Integer.toString(server.uri().getPort()));
        var around = new ProgramEnvironment(environment, directory, folder, Clock.systemUTC());
        assertThat(user(ClusterAccess.find(around, Optional.empty(), Optional.empty())))
                .isEqualTo("system:serviceaccount:default:robot");
    }

    @Test
    void tokensOfOtherIssuersAreRejected() throws IOException {
        var access = access("{token: nonsense}", authority());
        try (var cluster = new HttpCluster(access, Servers.clientOptions())) {
            assertThat(cluster.send(review()))
                    .isInstanceOfSatisfying(
                            RequestResult.Refused.class,
                            refused -> assertThat(refused.code()).isEqualTo(401));
        }
    }

    @Test
    void serverCertificatesAreVerified() throws IOException {
        var named = authority() + ", tls-server-name: kubernetes.default.svc";
        assertThat(result(access(admin(), named))).isInstanceOf(RequestResult.Done.class);
        var wrong = authority().replace("127.0.0.1", "127.0.0.2");
        assertThat(result(access(admin(), wrong))).isInstanceOf(RequestResult.Unavailable.class);
        var stranger = address();
        assertThat(result(access(admin(), stranger)).message())
                .contains("is not signed by the CA of");
        var careless = address() + ", insecure-skip-tls-verify: true";
        assertThat(result(access(admin(), careless))).isInstanceOf(RequestResult.Done.class);
    }

    private String admin() {
        var admin = server.authority().client("boss", "boss", List.of("system:masters"));
        return "{client-certificate-data: %s, client-key-data: %s}"
                .formatted(base64(admin.certificatePem()), base64(admin.keyPem()));
    }

    private String address() {
        return "server: '%s'".formatted(server.uri());
    }

    private String authority() {
        return address()
                + ", certificate-authority-data: "
                + base64(server.authority().certificatePem());
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private ClusterAccess access(String user, String cluster) throws IOException {
        var file = directory.resolve("config");
        Files.writeString(
                file,
                """
                current-context: c
                contexts: [{name: c, context: {cluster: c, user: u}}]
                clusters: [{name: c, cluster: {%s}}]
                users: [{name: u, user: %s}]
                """
                        .formatted(cluster, user));
        return Kubeconfig.read(List.of(file), Servers.environment(directory))
                .access(Optional.empty());
    }

    private static RequestResult result(ClusterAccess access) {
        try (var cluster = new HttpCluster(access, Servers.clientOptions())) {
            return cluster.send(review());
        }
    }

    private static String user(ClusterAccess access) {
        var result = result(access);
        return result instanceof RequestResult.Done(var object)
                ? object.objectOrEmpty("status").objectOrEmpty("userInfo").text("username")
                : result.toString();
    }

    private static Request review() {
        return Request.Create.of(
                REVIEWS,
                "",
                Servers.tree(
                        """
                        {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
                        """));
    }
}
