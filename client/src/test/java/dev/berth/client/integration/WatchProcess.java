package dev.berth.client.integration;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.codec.Kinds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;

/// A client process that watches claims and prints the events. `get NAME` reads a claim.
final class WatchProcess implements Cluster.EventHandler<ResourceClaim> {

    /// Much shorter than the timeouts that must not be involved here.
    private static final ClientOptions.Liveness LIVENESS =
            new ClientOptions.Liveness(Duration.ofMillis(700), Duration.ofMillis(700));

    private WatchProcess() {}

    public static void main(String[] arguments) throws IOException {
        var directory = Path.of(arguments[0]);
        var file = directory.resolve(NetworkNamespaces.SERVER_ADDRESS + ".kubeconfig");
        var settings =
                Servers.clientOptions()
                        .withIdleTimeout(Duration.ofMinutes(10))
                        .withRequestTimeout(Duration.ofMinutes(10))
                        .withLiveness(LIVENESS)
                        .withProblems(problem -> System.out.println("problem " + problem));
        var access = Servers.accessIn(file, directory);
        try (var cluster = new HttpCluster(access, settings);
                var _ = cluster.watch(Kinds.RESOURCE_CLAIM, "", new WatchProcess());
                var in =
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                var name = line.substring("get ".length());
                Thread.ofVirtual().start(() -> read(cluster, name));
            }
        }
    }

    private static void read(Cluster cluster, String name) {
        var got = cluster.send(new Request.Get(CLAIMS, "default", name));
        System.out.println("get " + name + " " + got.getClass().getSimpleName());
    }

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);

    @Override
    public void replaceAll(Iterable<ResourceClaim> objects) {
        var names = new ArrayList<String>();
        objects.forEach(one -> names.add(one.metadata().name()));
        System.out.println("all " + names);
    }

    @Override
    public void put(ResourceClaim object) {
        System.out.println("put " + object.metadata().name());
    }

    @Override
    public void remove(ResourceClaim object) {
        System.out.println("remove " + object.metadata().name());
    }
}
