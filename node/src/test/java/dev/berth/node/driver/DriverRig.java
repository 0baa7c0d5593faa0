package dev.berth.node.driver;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/// Fixture: a node with a fake kubelet, and a real API server.
public final class DriverRig implements AutoCloseable {

    static final String DRIVER = "gpu.example.com";
    static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);
    static final ResourcePath SLICES = ResourcePath.of(Kinds.RESOURCE_SLICE);

    public final Path directory;
    final ApiServer server;
    public final HttpCluster cluster;
    final FakeKubelet kubelet;
    private final ObjectCache<ResourceSlice> slices = ObjectCache.ofRecords();

    public DriverRig(Path directory) throws Exception {
        this.directory = directory;
        this.server =
                ApiServer.start(
                        ServerSettings.in(directory.resolve("server"))
                                .withStore(new StoreChoice.Memory())
                                .withAddress("127.0.0.1", 0));
        var around = new ProgramEnvironment(Map.of(), directory, directory, Clock.systemUTC());
        var access = ClusterAccess.find(around, Optional.of(server.kubeconfig()), Optional.empty());
        this.cluster =
                new HttpCluster(
                        access,
                        ClientOptions.of("test", "0")
                                .withRandom(new Random(1))
                                .withBackoff(Duration.ofMillis(50), Duration.ofMillis(400)));
        Files.createDirectories(registry());
        this.kubelet = new FakeKubelet(registry());
        send(
                Request.Create.of(
                        ResourcePath.of(Kinds.NODE), "", tree("{metadata: {name: node-1}}")));
        cluster.watch(Kinds.RESOURCE_SLICE, "", slices);
    }

    public Path registry() {
        return directory.resolve("k/plugins_registry");
    }

    Path cdi() {
        return directory.resolve("cdi");
    }

    Path data(String driver) {
        return directory.resolve("k/plugins").resolve(driver);
    }

    public DriverOptions options() {
        return DriverOptions.of(DRIVER, "node-1").withDirectories(registry(), data(DRIVER), cdi());
    }

    JsonObject send(Request request) {
        return switch (cluster.send(request)) {
            case RequestResult.Done(var object) -> object;
            case RequestResult other -> throw new AssertionError(request + ": " + other);
        };
    }

    /// Creates an allocated claim, with one device per request of the same name.
    ClaimRef claimWith(String name, String driver, String config, String... devices) {
        var requests = new StringBuilder();
        var results = new StringBuilder();
        for (var device : devices) {
            requests.append("{name: %s, exactly: {deviceClassName: any}},".formatted(device));
            results.append(
                    "{request: %s, driver: %s, pool: node-1, device: %s},"
                            .formatted(device, driver, device));
        }
        var claim =
                send(
                        Request.Create.of(
                                CLAIMS,
                                "default",
                                tree(
                                        "{metadata: {name: %s}, spec: {devices: {requests: [%s]}}}"
                                                .formatted(name, requests))));
        var status =
                tree(
                        "{allocation: {devices: {results: [%s], config: %s}}}"
                                .formatted(results, config));
        var stored =
                send(
                        new Request.Update(
                                CLAIMS, "default", name, "status", claim.with("status", status)));
        return new ClaimRef("default", name, new Uid(stored.objectOrEmpty("metadata").text("uid")));
    }

    public ClaimRef claim(String name, String... devices) {
        return claimWith(name, DRIVER, "[]", devices);
    }

    /// Reserves a claim for a pod.
    public void reserve(ClaimRef claim, String pod, String uid) {
        var stored = read(claim);
        var users = tree("{all: [{resource: pods, name: %s, uid: %s}]}".formatted(pod, uid));
        var status =
                stored.objectOrEmpty("status").with("reservedFor", Json.array(users.items("all")));
        send(
                new Request.Update(
                        CLAIMS,
                        claim.namespace(),
                        claim.name(),
                        "status",
                        stored.with("status", status)));
    }

    public JsonObject read(ClaimRef claim) {
        return send(new Request.Get(CLAIMS, claim.namespace(), claim.name()));
    }

    List<ResourceSlice> slices() {
        return slices.all().stream()
                .sorted(Comparator.comparing(slice -> slice.metadata().name()))
                .toList();
    }

    void delete(ResourceSlice slice) {
        send(
                new Request.Delete(
                        SLICES,
                        "",
                        slice.metadata().name(),
                        Optional.empty(),
                        OptionalLong.empty()));
    }

    public static JsonObject tree(String yaml) {
        return YamlReader.read(yaml) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }

    @Override
    public void close() {
        kubelet.close();
        cluster.close();
        server.close();
    }
}
