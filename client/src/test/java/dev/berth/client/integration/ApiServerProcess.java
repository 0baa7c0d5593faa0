package dev.berth.client.integration;

import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.client.http.HttpCluster;
import dev.berth.model.codec.Kinds;
import dev.berth.server.ApiServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// An API server in a process of its own. `create NAME` creates a claim; it writes a kubeconfig for
/// clients at [NetworkNamespaces#SERVER_ADDRESS].
final class ApiServerProcess {

    private ApiServerProcess() {}

    public static void main(String[] arguments) throws IOException {
        var directory = Path.of(arguments[0]);
        try (var server = ApiServer.start(Servers.memory(directory).withAddress("0.0.0.0", 0));
                var local = cluster(server, directory, "127.0.0.1");
                var _ = cluster(server, directory, NetworkNamespaces.SERVER_ADDRESS);
                var in =
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println("listening");
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                var name = line.substring("create ".length());
                var created =
                        local.send(
                                Request.Create.of(
                                        ResourcePath.of(Kinds.RESOURCE_CLAIM),
                                        "default",
                                        Servers.claim(name)));
                System.out.println(name + " " + created.message());
            }
        }
    }

    /// Writes the file `HOST.kubeconfig` and uses it.
    private static HttpCluster cluster(ApiServer server, Path directory, String host)
            throws IOException {
        var address = "https://%s:%d".formatted(host, server.uri().getPort());
        var text =
                Files.readString(server.kubeconfig())
                        .replace(
                                "\"" + server.uri() + "\"",
                                "\"" + address + "\"\n    tls-server-name: localhost");
        var file = Files.writeString(directory.resolve(host + ".kubeconfig"), text);
        return new HttpCluster(Servers.accessIn(file, directory), Servers.clientOptions());
    }
}
