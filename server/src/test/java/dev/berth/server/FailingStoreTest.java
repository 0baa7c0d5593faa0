package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.auth.CertificateAuthority;
import dev.berth.server.auth.ServerTls;
import dev.berth.server.http.Endpoint;
import dev.berth.server.http.ServerLimits;
import dev.berth.server.nodes.NodeConnections;
import dev.berth.server.registry.IdSource;
import dev.berth.server.store.MemoryStore;
import dev.berth.server.store.Store;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.StoreHealth;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Responses when the store fails or the server runs out of memory.
class FailingStoreTest {

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String SECRET_PATH = "/var/lib/berth/store.db";

    @TempDir private Path directory;
    private final Store memory = new MemoryStore();
    private volatile Optional<Throwable> failure = Optional.empty();
    private volatile StoreHealth health = new StoreHealth.Ready();
    private CertificateAuthority authority;
    private NodeConnections nodes;
    private Endpoint endpoint;

    @BeforeEach
    void start() {
        var store =
                (Store)
                        Proxy.newProxyInstance(
                                Store.class.getClassLoader(),
                                new Class<?>[] {Store.class},
                                (_, method, arguments) -> call(method, arguments));
        var settings =
                ServerSettings.in(directory)
                        .withAddress("127.0.0.1", 0)
                        .withLimits(ServerLimits.DEFAULT.withSeats(10).withQueueLength(0));
        authority = CertificateAuthority.open(directory.resolve("pki"), settings.clock());
        var assembly = new ServerAssembly(settings, store, IdSource.random());
        assembly.bootstrap();
        nodes = ServerAssembly.nodeConnections(authority);
        endpoint = assembly.endpoint(authority, nodes);
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
        if (failure.isPresent() && method.getName().equals("sync")) {
            throw failure.get();
        }
        if (method.getName().equals("health")) {
            return health;
        }
        try {
            return method.invoke(memory, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @AfterEach
    void stop() {
        endpoint.close();
        nodes.close();
        memory.close();
    }

    private HttpResponse<String> get(String path, Optional<String> user) throws Exception {
        var tls =
                user.map(name ->
                                ServerTls.context(
                                        authority, authority.issueClient(name, List.of("view"))))
                        .orElseGet(() -> ServerTls.context(authority));
        try (var client = HttpClient.newBuilder().sslContext(tls).build()) {
            return client.send(
                    HttpRequest.newBuilder(endpoint.uri().resolve(path)).build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void healthDoesNotRevealTheLocationOfTheStore() throws Exception {
        failure = Optional.of(new StoreException("cannot write " + SECRET_PATH));
        for (var path : List.of("/healthz", "/livez", "/readyz", "/readyz?verbose")) {
            var answer = get(path, Optional.empty());
            assertThat(answer.statusCode()).isEqualTo(500);
            assertThat(answer.body()).contains("[-]store failed").doesNotContain("store.db");
        }
    }

    /// Reads still succeed in this state, so a sync of the store does not detect it.
    @Test
    void serverWithReadOnlyStoreIsNotReady() throws Exception {
        health = new StoreHealth.Failed("I/O error", "cannot write " + SECRET_PATH);
        var answer = get("/readyz", Optional.empty());
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains("[-]store failed").doesNotContain("store.db");
    }

    @Test
    void requestThatRunsOutOfMemoryReleasesItsSeat() throws Exception {
        allowViewers();
        failure = Optional.of(new OutOfMemoryError("Java heap space"));
        for (var i = 0; i < 20; i++) {
            assertThat(get(MAPS, Optional.of("alice")).statusCode()).isEqualTo(500);
        }
        failure = Optional.empty();
        assertThat(get(MAPS, Optional.of("alice")).statusCode()).isEqualTo(200);
        assertThat(get("/readyz", Optional.empty()).statusCode()).isEqualTo(200);
    }

    private void allowViewers() throws Exception {
        var admin = authority.issueClient("admin", List.of("system:masters"));
        var binding =
                """
                {"metadata": {"name": "viewers"},
                 "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole",
                             "name": "view"},
                 "subjects": [{"kind": "Group", "name": "view",
                               "apiGroup": "rbac.authorization.k8s.io"}]}
                """;
        try (var client =
                HttpClient.newBuilder().sslContext(ServerTls.context(authority, admin)).build()) {
            var path = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
            var request =
                    HttpRequest.newBuilder(endpoint.uri().resolve(path))
                            .POST(HttpRequest.BodyPublishers.ofString(binding))
                            .build();
            assertThat(client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
                    .isEqualTo(201);
        }
    }
}
