package dev.berth.server.load;

import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import dev.berth.server.auth.ServerTls;
import dev.berth.server.http.ServerLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

/// An in-process server on a free port, with the TLS context of its administrator.
record TestServer(ApiServer server, SSLContext admin) implements AutoCloseable {

    static TestServer start(Path directory, UnaryOperator<ServerSettings> change) {
        var settings = change.apply(ServerSettings.in(directory).withAddress("127.0.0.1", 0));
        var server = ApiServer.start(settings);
        var authority = server.authority();
        var credential = authority.client("test", "test", List.of("system:masters"));
        return new TestServer(server, ServerTls.context(authority, credential));
    }

    /// A server with an in-memory store.
    static TestServer start(Path directory, ServerLimits limits) {
        return start(
                directory,
                settings -> settings.withStore(new StoreChoice.Memory()).withLimits(limits));
    }

    RawClient client() {
        return new RawClient(server.uri(), admin);
    }

    RawClient stranger() {
        return new RawClient(server.uri(), ServerTls.context(server.authority()));
    }

    /// A user who may edit everything, with the limits of ordinary users.
    SSLContext user(String name) throws IOException {
        var binding =
                """
                {"metadata": {"name": "%1$s"},
                 "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole",
                             "name": "edit"},
                 "subjects": [{"kind": "User", "name": "%1$s",
                               "apiGroup": "rbac.authorization.k8s.io"}]}
                """
                        .formatted(name);
        try (var client = client()) {
            var path = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
            var response = client.json("POST", path, binding);
            if (response.status() != 201) {
                throw new IOException("no role for " + name + ": " + response);
            }
        }
        return ServerTls.context(
                server.authority(), server.authority().issueClient(name, List.of()));
    }

    RawClient client(SSLContext user) {
        return new RawClient(server.uri(), user);
    }

    /// The sum of all series of a metric.
    ///
    /// @param name the name, also with the first labels
    String metric(String name) throws IOException {
        try (var client = client()) {
            var sum =
                    client.get("/metrics")
                            .body()
                            .orElse("")
                            .lines()
                            .filter(line -> line.startsWith(name))
                            .mapToDouble(line ->
                                    Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                            .sum();
            return Long.toString(Math.round(sum));
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
