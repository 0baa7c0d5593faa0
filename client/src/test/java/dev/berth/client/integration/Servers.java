package dev.berth.client.integration;

import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import dev.berth.server.auth.KubeconfigWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/// Starts servers and creates clients for tests.
public final class Servers {

    static final Duration TIMEOUT = Duration.ofSeconds(30);

    private Servers() {}

    public static ServerSettings memory(Path directory) {
        return ServerSettings.in(directory)
                .withStore(new StoreChoice.Memory())
                .withAddress("127.0.0.1", 0);
    }

    static ServerSettings sqlite(Path directory, int port) {
        return ServerSettings.in(directory).withAddress("127.0.0.1", port);
    }

    static ProgramEnvironment environment(Path home) {
        return new ProgramEnvironment(Map.of(), home, home, Clock.systemUTC());
    }

    static ClusterAccess access(ApiServer server, Path home) {
        return accessIn(server.kubeconfig(), home);
    }

    static ClusterAccess accessIn(Path kubeconfig, Path home) {
        return ClusterAccess.find(environment(home), Optional.of(kubeconfig), Optional.empty());
    }

    /// Client options with a short back-off and without jitter.
    static ClientOptions clientOptions() {
        return ClientOptions.of("test", "0")
                .withRandom(new Random(1))
                .withBackoff(Duration.ofMillis(50), Duration.ofMillis(400));
    }

    public static HttpCluster cluster(ApiServer server, Path home) {
        return new HttpCluster(access(server, home), clientOptions());
    }

    /// A client of a user who is authorized for everything but subject to rate limits.
    static HttpCluster clusterOf(String user, ApiServer server, Path home) throws IOException {
        try (var admin = cluster(server, home)) {
            var binding =
                    tree(
                            """
                            {"apiVersion": "rbac.authorization.k8s.io/v1",
                             "kind": "ClusterRoleBinding", "metadata": {"name": "%s"},
                             "roleRef": {"apiGroup": "rbac.authorization.k8s.io",
                                         "kind": "ClusterRole", "name": "cluster-admin"},
                             "subjects": [{"apiGroup": "rbac.authorization.k8s.io",
                                           "kind": "User", "name": "%s"}]}
                            """
                                    .formatted(user, user));
            var bindings =
                    new ResourcePath("rbac.authorization.k8s.io", "v1", "clusterrolebindings");
            admin.send(Request.Create.of(bindings, "", binding));
        }
        var file = home.resolve(user + ".kubeconfig");
        var authority = server.authority();
        KubeconfigWriter.write(
                file,
                server.uri().toString(),
                authority.certificatePem(),
                authority.issueClient(user, List.of()));
        var access = ClusterAccess.find(environment(home), Optional.of(file), Optional.empty());
        return new HttpCluster(access, clientOptions());
    }

    public static JsonObject tree(String json) {
        return JsonReader.read(json).object().orElseThrow();
    }

    static JsonObject claim(String name) {
        return tree(
                """
                {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
                 "metadata": {"name": "%s", "namespace": "default"},
                 "spec": {"devices": {"requests": [
                   {"name": "gpu", "exactly": {"deviceClassName": "gpu"}}]}}}
                """
                        .formatted(name));
    }

    static void await(ObjectCache<?> cache) throws InterruptedException {
        if (!cache.awaitSynced(TIMEOUT)) {
            throw new AssertionError("the cache was not synced in time");
        }
    }
}
