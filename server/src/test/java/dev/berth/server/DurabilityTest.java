package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.server.access.User;
import dev.berth.server.auth.CertificateAuthority;
import dev.berth.server.auth.ServerTls;
import dev.berth.server.http.Endpoint;
import dev.berth.server.nodes.NodeConnections;
import dev.berth.server.operation.InProcessApi;
import dev.berth.server.operation.ObjectOperation;
import dev.berth.server.operation.ObjectPath;
import dev.berth.server.operation.RequestDocument;
import dev.berth.server.operation.WriteOptions;
import dev.berth.server.registry.IdSource;
import dev.berth.server.store.Store;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Responses that leave the process contain durable data only.
class DurabilityTest {

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final User USER = User.of("test", User.MASTERS);

    @TempDir private Path directory;
    private final BlockedSyncStore disk = new BlockedSyncStore();
    private final Store store = disk.store();
    private NodeConnections nodes;
    private Endpoint endpoint;
    private InProcessApi api;
    private HttpClient client;

    @BeforeEach
    void start() {
        var settings = ServerSettings.in(directory).withAddress("127.0.0.1", 0);
        var authority = CertificateAuthority.open(directory.resolve("pki"), settings.clock());
        var assembly = new ServerAssembly(settings, store, IdSource.random());
        assembly.bootstrap();
        nodes = ServerAssembly.nodeConnections(authority);
        endpoint = assembly.endpoint(authority, nodes);
        api = assembly.inProcess();
        var admin = authority.issueClient("admin", List.of("system:masters"));
        client = HttpClient.newBuilder().sslContext(ServerTls.context(authority, admin)).build();
    }

    @AfterEach
    void stop() {
        disk.release();
        client.close();
        endpoint.close();
        nodes.close();
        store.close();
    }

    @Test
    void writesAreAcknowledgedWhenDurable() throws Exception {
        disk.hold();
        var response = whileDiskIsHeld(() -> post("a"));

        assertThat(response.statusCode()).isEqualTo(201);
    }

    @Test
    void readsReturnDurableDataOnly() throws Exception {
        disk.hold();
        create(api.withoutDurabilityWait(), "a");
        var response = whileDiskIsHeld(() -> get(MAPS + "/a"));

        assertThat(response.statusCode()).isEqualTo(200);
    }

    @Test
    void errorsWaitForDurability() throws Exception {
        disk.hold();
        create(api.withoutDurabilityWait(), "a");
        var response = whileDiskIsHeld(() -> post("a"));

        assertThat(response.statusCode()).isEqualTo(409);
    }

    @Test
    void watchesDeliverDurableChangesOnly() throws Exception {
        var uri = endpoint.uri().resolve(MAPS + "?watch=true&resourceVersion=" + store.revision());
        var response =
                client.send(
                        HttpRequest.newBuilder(uri).build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            disk.hold();
            create(api.withoutDurabilityWait(), "a");
            var line = whileDiskIsHeld(lines::readLine);

            assertThat(line).startsWith("{\"type\":\"ADDED\"");
        }
    }

    @Test
    void inProcessClientsMaySkipTheDurabilityWait() throws Exception {
        disk.hold();
        assertThat(create(api.withoutDurabilityWait(), "a")).isTrue();
        assertThat(whileDiskIsHeld(() -> create(api, "b"))).isTrue();
    }

    @Test
    void diskErrorsAreReportedToWaitingRequests() throws Exception {
        disk.hold();
        var response = started(() -> post("a"));
        disk.awaitWaiter();

        disk.fail();
        assertThat(response.get().statusCode()).isEqualTo(503);
        assertThat(response.get().body()).contains("the disk is gone");
    }

    /// The result of work that waits for the disk.
    private <T> T whileDiskIsHeld(Callable<T> work) throws Exception {
        var task = started(work);
        disk.awaitWaiter();
        assertThat(task.isDone()).isFalse();

        disk.release();
        return task.get();
    }

    private static <T> FutureTask<T> started(Callable<T> work) {
        var task = new FutureTask<>(work);
        Thread.ofVirtual().start(task);
        return task;
    }

    private static JsonObject map(String name) {
        return JsonObject.of("apiVersion", Json.of("v1"))
                .with("kind", Json.of("ConfigMap"))
                .with("metadata", JsonObject.of("name", Json.of(name)));
    }

    private static boolean create(InProcessApi api, String name) {
        var path = new ObjectPath("", "v1", "default", "configmaps", "", "");
        var operation =
                new ObjectOperation.Create(
                        path, WriteOptions.of("test"), RequestDocument.of(map(name)));
        return api.send(USER, operation) instanceof InProcessApi.Result.Success;
    }

    private HttpResponse<String> post(String name) throws Exception {
        var body = HttpRequest.BodyPublishers.ofString(JsonWriter.compact(map(name)));
        var uri = endpoint.uri().resolve(MAPS);
        return client.send(
                HttpRequest.newBuilder(uri)
                        .header("Content-Type", "application/json")
                        .POST(body)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(endpoint.uri().resolve(path)).build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
