package dev.berth.client.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigTest {

    @TempDir private Path directory;

    private final AtomicReference<Instant> now =
            new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

    @Test
    void theFirstFileWinsAndMissingFilesAreSkipped() throws IOException {
        file("one", cluster("c", "{server: 'https://one:1'}") + "current-context: x\n");
        file(
                "two",
                cluster("c", "{server: 'https://two:2'}")
                        + "contexts:\n- {name: x, context: {cluster: c, namespace: there}}\n"
                        + "current-context: y\n");
        var variable = "%s/one:%s/missing:%s/two".formatted(directory, directory, directory);
        var access =
                ClusterAccess.find(
                        environment(Map.of("KUBECONFIG", variable)), Optional.empty(), none());
        assertThat(access.server()).isEqualTo(URI.create("https://one:1"));
        assertThat(access.namespace()).isEqualTo("there");
        assertThat(access.trust()).isEqualTo(new ServerTrust.SystemAuthorities());
    }

    @Test
    void missingEntriesAreNamedWithTheirFile() throws IOException {
        var file = file("config", "contexts:\n- {name: x, context: {cluster: gone}}\n");
        var config = Kubeconfig.read(List.of(file), environment(Map.of()));
        assertThatThrownBy(() -> config.access(none()))
                .hasMessageContaining("no current-context; choose one of [x]");
        assertThatThrownBy(() -> config.access(Optional.of("y")))
                .hasMessageContaining("no context \"y\"; choose one of [x]");
        assertThatThrownBy(() -> config.access(Optional.of("x")))
                .hasMessageContaining("%s: context \"x\" names the cluster \"gone\"", file);
        assertThatThrownBy(
                        () -> ClusterAccess.find(environment(Map.of()), Optional.empty(), none()))
                .hasMessageContaining("name a file with --kubeconfig or KUBECONFIG");
    }

    @Test
    void invalidYamlIsReportedWithItsLine() throws IOException {
        var file = file("config", "contexts: []\nusers: [\n");
        assertThatThrownBy(() -> Kubeconfig.read(List.of(file), environment(Map.of())))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("kubeconfig %s: line 3", file);
    }

    @Test
    void secretsAreNeverShown() throws IOException {
        var access = access("{token: hunter2}", "{server: 'https://a:1'}");
        var credential = access.credentials().current();
        assertThat(credential.authorization()).contains("Bearer hunter2");
        assertThat(access + " " + credential).doesNotContain("hunter2");
        assertThatThrownBy(() ->
                        access("{client-certificate-data: aGVsbG8=, client-key-data: aHVudGVyMg==}")
                                .credentials()
                                .current())
                .hasMessageContaining("context \"x\": client-certificate and client-key of \"u\"")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void aTokenWithInvalidHeaderCharactersIsRejectedWithoutShowingIt() throws IOException {
        for (var token : List.of("hunter2\\nmore", "hunter2\\u00e9", "hunter2\\0")) {
            var credentials = access("{token: \"" + token + "\"}").credentials();
            assertThatThrownBy(credentials::current)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("line breaks")
                    .hasMessageNotContaining("hunter2");
        }
    }

    @Test
    void tokenFilesAreReloadedAndCachedWhileMissing() throws IOException {
        file("token", "first\n");
        var credentials = access("{token: never, tokenFile: token}").credentials();
        assertThat(credentials.current().authorization()).contains("Bearer first");
        file("token", "second\n");
        assertThat(credentials.current().authorization()).contains("Bearer first");
        pass(Duration.ofMinutes(1));
        assertThat(credentials.current().authorization()).contains("Bearer second");
        Files.delete(directory.resolve("token"));
        pass(Duration.ofMinutes(1));
        assertThat(credentials.current().authorization()).contains("Bearer second");
    }

    @Test
    void proxiesComeFromTheFileOrTheEnvironment() throws IOException {
        var environment = Map.of("HTTPS_PROXY", "http://env:3128", "NO_PROXY", "x.org,.svc");
        assertThat(proxy("{server: 'https://a:1', proxy-url: 'http://p:1'}", environment))
                .contains(URI.create("http://p:1"));
        assertThat(proxy("{server: 'https://a:1'}", environment))
                .contains(URI.create("http://env:3128"));
        assertThat(proxy("{server: 'https://b.x.org'}", environment)).isEmpty();
        assertThat(proxy("{server: 'https://k.default.svc'}", environment)).isEmpty();
        assertThat(proxy("{server: 'https://127.0.0.1:6443'}", environment)).isEmpty();
        assertThatThrownBy(() ->
                        proxy("{server: 'https://a', proxy-url: 'socks5://p:1'}", environment))
                .hasMessageContaining("only http:// proxies are supported");
    }

    @Test
    void aProxyUrlMayContainUserAndPassword() throws IOException {
        assertThat(proxy("{server: 'https://a:1', proxy-url: 'http://me:p%40ss@p:1'}", Map.of()))
                .contains(URI.create("http://me:p%40ss@p:1"));
        assertThatThrownBy(() ->
                        proxy("{server: 'https://a:1', proxy-url: 'http://me:p@ss@p:1'}", Map.of()))
                .hasMessageContaining("write %40 for @ in a password")
                .hasMessageNotContaining("ss@")
                .hasNoCause();
    }

    @Test
    void aPluginRunsOnceUntilItsCredentialExpires() throws IOException {
        plugin(
                """
                echo x >> runs
                echo "$KUBERNETES_EXEC_INFO" > request
                echo '{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
                  "status": {"token": "'"$SECRET-$1"'",
                  "expirationTimestamp": "2026-01-01T01:00:00Z"}}'
                """);
        var user =
                """
                {exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin,
                  args: [word], env: [{name: SECRET, value: s}], provideClusterInfo: true}}
                """;
        var credentials = access(user).credentials();
        assertThat(credentials.current().authorization()).contains("Bearer s-word");
        credentials.current();
        assertThat(runs()).isEqualTo(1);
        pass(Duration.ofHours(1));
        var credential = credentials.current();
        assertThat(runs()).isEqualTo(2);
        pass(Duration.ofHours(-1));
        credentials.rejected(credential);
        credentials.current();
        assertThat(runs()).isEqualTo(3);
        assertThat(Files.readString(directory.resolve("request")))
                .contains("\"interactive\":false", "\"server\":\"https://a:1\"");
    }

    @Test
    void aPluginFailureIsReportedWithoutSecrets() throws IOException {
        var user =
                "{exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: ./plugin,"
                        + " installHint: get it from the shop}}";
        assertThatThrownBy(() -> access(user).credentials().current())
                .hasMessageContaining("exec of user \"u\"")
                .hasMessageContaining("get it from the shop");
        plugin("echo secret; echo log in first >&2; exit 3");
        assertThatThrownBy(() -> access(user).credentials().current())
                .hasMessageContaining("exit code 3: log in first")
                .hasMessageNotContaining("secret");
        plugin("echo secret");
        assertThatThrownBy(() -> access(user).credentials().current())
                .hasMessageContaining("did not print JSON")
                .hasMessageNotContaining("secret");
        plugin("echo '{\"kind\": \"ExecCredential\", \"apiVersion\": \"v2\"}'");
        assertThatThrownBy(() -> access(user).credentials().current())
                .hasMessageContaining("apiVersion \"client.authentication.k8s.io/v1beta1\"");
        assertThatThrownBy(() -> access("{exec: {apiVersion: v1alpha1, command: x}}"))
                .hasMessageContaining("use client.authentication.k8s.io/v1");
    }

    @Test
    void aPodUsesItsServiceAccountAndReloadsTheToken() throws IOException {
        file("token", "one");
        file("namespace", "mine\n");
        var environment =
                Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "443");
        var access = ClusterAccess.find(environment(environment), Optional.empty(), none());
        assertThat(access.server()).isEqualTo(URI.create("https://[fd00::1]:443"));
        assertThat(access.namespace()).isEqualTo("mine");
        file("token", "two");
        pass(Duration.ofMinutes(1));
        assertThat(access.credentials().current().authorization()).contains("Bearer two");
    }

    private static Optional<String> none() {
        return Optional.empty();
    }

    private Optional<URI> proxy(String cluster, Map<String, String> environment)
            throws IOException {
        return access("{}", cluster, environment).proxy();
    }

    private ClusterAccess access(String user) throws IOException {
        return access(user, "{server: 'https://a:1'}");
    }

    private ClusterAccess access(String user, String cluster) throws IOException {
        return access(user, cluster, Map.of());
    }

    private ClusterAccess access(String user, String cluster, Map<String, String> environment)
            throws IOException {
        var text =
                cluster("c", cluster)
                        + "contexts:\n- {name: x, context: {cluster: c, user: u}}\n"
                        + "current-context: x\nusers:\n- {name: u, user: %s}\n".formatted(user);
        var file = file("config", text);
        return Kubeconfig.read(List.of(file), environment(environment)).access(none());
    }

    private static String cluster(String name, String content) {
        return "clusters:\n- {name: %s, cluster: %s}\n".formatted(name, content);
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private void plugin(String script) throws IOException {
        var file = file("plugin", "#!/bin/sh\ncd '%s'\n%s\n".formatted(directory, script));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private int runs() throws IOException {
        return Files.readAllLines(directory.resolve("runs")).size();
    }

    private void pass(Duration time) {
        now.updateAndGet(instant -> instant.plus(time));
    }

    private ProgramEnvironment environment(Map<String, String> environment) {
        InstantSource source = now::get;
        return new ProgramEnvironment(
                environment, directory, directory, source.withZone(ZoneOffset.UTC));
    }
}
