package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.BerthProcess;
import dev.berth.server.auth.CertificateAuthority;
import dev.berth.server.auth.ServerTls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Logs have neither tokens nor bodies, at any level.
class SecretsInLogsTest {

    private static final String SECRET = "correct-horse-battery";
    private static final String SECRETS = "/api/v1/namespaces/default/secrets";

    @TempDir private Path directory;

    private static final Pattern TOKEN = Pattern.compile("\"token\":\"([^\"]+)\"");

    @ParameterizedTest
    @ValueSource(strings = {"trace", "debug"})
    void aServerAndItsClientsLogNeitherTokensNorBodies(String level) throws Exception {
        var log = directory.resolve("log");
        var clientLog = directory.resolve("client-log");
        String token;
        try (var server =
                BerthProcess.logging(
                        level, log, "serve", "--data-dir", directory.toString(), "--port", "0")) {
            var line = server.awaitLine(text -> text.startsWith("Serving"));
            var uri = URI.create(line.substring(line.indexOf("https:")));
            var authority = CertificateAuthority.open(directory.resolve("pki"), Clock.systemUTC());
            token = token(uri, authority);
            var tls = ServerTls.context(authority);
            for (var version : HttpClient.Version.values()) {
                writeSecrets(uri, tls, version, token);
            }
            sendMalformed(uri, tls, token);
            var kubeconfig = kubeconfig(uri, token);
            try (var client =
                    BerthProcess.logging(
                            level, clientLog, "inventory", "--kubeconfig", kubeconfig)) {
                client.awaitEnd();
            }
            server.interrupt();
        }
        for (var file : List.of(log, clientLog)) {
            assertThat(Files.readString(file))
                    .doesNotContain(token)
                    .doesNotContain(token.substring(token.lastIndexOf('.') + 1))
                    .doesNotContain(SECRET)
                    .doesNotContain(base64(SECRET));
        }
        assertThat(Files.readString(log)).contains("INFO org.eclipse.jetty");
    }

    /// A token of a service account that may do everything.
    private static String token(URI uri, CertificateAuthority authority) throws Exception {
        var admin = authority.client("admin", "admin", List.of("system:masters"));
        try (var client =
                HttpClient.newBuilder().sslContext(ServerTls.context(authority, admin)).build()) {
            post(
                    client,
                    uri.resolve("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"),
                    """
                    {"metadata": {"name": "all"}, "roleRef": {"kind": "ClusterRole",
                      "apiGroup": "rbac.authorization.k8s.io", "name": "cluster-admin"},
                     "subjects": [{"kind": "Group", "apiGroup": "rbac.authorization.k8s.io",
                      "name": "system:serviceaccounts"}]}\
                    """);
            var answer =
                    post(
                            client,
                            uri.resolve("/api/v1/namespaces/default/serviceaccounts/default/token"),
                            "{\"spec\": {}}");
            var token = TOKEN.matcher(answer);
            assertThat(token.find()).as(answer).isTrue();
            return token.group(1);
        }
    }

    private static String post(HttpClient client, URI uri, String body, String... headers)
            throws Exception {
        var request =
                HttpRequest.newBuilder(uri)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        for (var i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), BodyHandlers.ofString()).body();
    }

    private static void writeSecrets(
            URI uri, SSLContext tls, HttpClient.Version version, String token) throws Exception {
        try (var client = HttpClient.newBuilder().version(version).sslContext(tls).build()) {
            var bearer = "Bearer " + token;
            var name = version.name().toLowerCase(Locale.ROOT).replace('_', '-');
            var created =
                    post(
                            client,
                            uri.resolve(SECRETS),
                            """
                            {"metadata": {"name": "%s"}, "stringData": {"password": "%s"}}\
                            """
                                    .formatted(name, SECRET),
                            "Authorization",
                            bearer);
            assertThat(created).contains(base64(SECRET));
            for (var body : List.of("{\"data\": \"" + SECRET, "{\"data\": \"" + SECRET + "\"}")) {
                assertThat(post(client, uri.resolve(SECRETS), body, "Authorization", bearer))
                        .contains("\"Failure\"");
            }
            var get =
                    HttpRequest.newBuilder(uri.resolve(SECRETS + "/" + name))
                            .header("Authorization", bearer)
                            .build();
            assertThat(client.send(get, BodyHandlers.ofString()).body()).contains(base64(SECRET));
        }
    }

    /// Requests that the HTTP parser refuses.
    private static void sendMalformed(URI uri, SSLContext tls, String token) throws IOException {
        for (var line : List.of("Bad Header : x", "Content-Length: x", "\0: y")) {
            var head =
                    "GET /api HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\n%s\r\n\r\n"
                            .formatted(token, line);
            try (var socket =
                    (SSLSocket) tls.getSocketFactory().createSocket(uri.getHost(), uri.getPort())) {
                socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
                socket.getOutputStream().flush();
                assertThat(
                                new String(
                                        socket.getInputStream().readNBytes(12),
                                        StandardCharsets.UTF_8))
                        .isEqualTo("HTTP/1.1 400");
            }
        }
    }

    private String kubeconfig(URI uri, String token) throws IOException {
        return Files.writeString(
                        directory.resolve("client.kubeconfig"),
                        """
                        clusters:
                        - {name: c, cluster: {server: '%s', certificate-authority: '%s'}}
                        users: [{name: u, user: {token: %s}}]
                        contexts: [{name: x, context: {cluster: c, user: u}}]
                        current-context: x
                        """
                                .formatted(uri, directory.resolve("pki/ca.crt"), token))
                .toString();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void librariesNeverLogBelowInfo() {
        for (var level : List.of("error", "warn", "info", "debug", "trace", "all")) {
            assertThat(Logging.settings(level))
                    .containsPattern("(?m)^\\.level=(SEVERE|WARNING|INFO)$")
                    .containsOnlyOnce("jdk.httpclient.level=WARNING");
        }
    }
}
