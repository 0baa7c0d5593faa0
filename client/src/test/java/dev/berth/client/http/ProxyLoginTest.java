package dev.berth.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.Kubeconfig;
import dev.berth.client.config.ProgramEnvironment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests over HTTPS through a proxy that requires a password.
class ProxyLoginTest {

    private static final String PASSWORD = "changeit";

    /// `me` and `p@ss+word`.
    private static final String LOGIN = "Basic bWU6cEBzcyt3b3Jk";

    @TempDir private Path directory;

    private final List<String> leaked = new CopyOnWriteArrayList<>();
    private HttpsServer server;
    private TunnelProxy proxy;

    @BeforeEach
    void start() throws IOException, GeneralSecurityException, InterruptedException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context()));
        server.createContext(
                "/",
                exchange -> {
                    var login = exchange.getRequestHeaders().get("Proxy-Authorization");
                    leaked.addAll(login == null ? List.of() : login);
                    try (exchange) {
                        FakeServer.respond(exchange, 200, "{}");
                    }
                });
        server.start();
        proxy = new TunnelProxy(LOGIN);
    }

    @AfterEach
    void stop() throws IOException {
        server.stop(0);
        proxy.close();
    }

    private SSLContext context()
            throws IOException, GeneralSecurityException, InterruptedException {
        var file = directory.resolve("key.p12");
        var made =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=server",
                                "-ext",
                                "san=ip:127.0.0.1",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                PASSWORD,
                                "-keystore",
                                file.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        assertThat(made.waitFor()).isZero();
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(
                KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray()),
                PASSWORD.toCharArray());
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    private RequestResult result(String login) throws IOException {
        var file = directory.resolve("config");
        Files.writeString(
                file,
                """
                current-context: c
                contexts: [{name: c, context: {cluster: c, user: u}}]
                clusters:
                - name: c
                  cluster:
                    server: "https://127.0.0.1:%d"
                    insecure-skip-tls-verify: true
                    proxy-url: "http://%s127.0.0.1:%d"
                users: [{name: u, user: {token: secret}}]
                """
                        .formatted(server.getAddress().getPort(), login, proxy.port()));
        var around = new ProgramEnvironment(Map.of(), directory, directory, Clock.systemUTC());
        ClusterAccess access = Kubeconfig.read(List.of(file), around).access(Optional.empty());
        try (var cluster =
                new HttpCluster(
                        access,
                        ClientOptions.of("test", "1").withRequestTimeout(Duration.ofSeconds(2)))) {
            return cluster.send(
                    new Request.Get(new ResourcePath("", "v1", "configmaps"), "default", "a"));
        }
    }

    @Test
    void theProxyGetsUserAndPassword() throws IOException {
        assertThat(result("me:p%40ss+word@")).isInstanceOf(RequestResult.Done.class);

        assertThat(proxy.requests())
                .allSatisfy(head ->
                        assertThat(head)
                                .contains("Proxy-Authorization: " + LOGIN)
                                .noneMatch(line -> line.contains("secret")));
    }

    @Test
    void theServerDoesNotGetThePasswordOfTheProxy() throws IOException {
        assertThat(result("me:p%40ss+word@")).isInstanceOf(RequestResult.Done.class);

        assertThat(leaked).isEmpty();
    }

    @Test
    void aRejectingProxyIsNamedWithoutItsPassword() throws IOException {
        assertThat(result(""))
                .asString()
                .contains("127.0.0.1:" + proxy.port() + " responded 407: it requires http://user");
        assertThat(result("me:wrong@"))
                .asString()
                .contains("responded 407: it rejected the user and password")
                .doesNotContain("wrong");
    }
}
