package dev.berth.client.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Networks that drop packets without an error: connections are replaced, watches resume.
class NetworkLossTest {

    @TempDir private Path directory;

    /// Breaks or repairs a network.
    @FunctionalInterface
    private interface NetworkChange {
        void on(NetworkNamespaces network) throws Exception;
    }

    @Test
    void watchesResumeAfterPacketLoss() throws Exception {
        try (var network = NetworkNamespaces.create();
                var server = network.startServer(ApiServerProcess.class, directory.toString())) {
            server.await("listening"::equals);
            create(server, "before");
            try (var client = network.startClient(WatchProcess.class, directory.toString())) {
                client.await("all [before]"::equals);
                create(server, "connected");
                client.await("put connected"::equals);
                breakAndRepair(
                        "down",
                        network,
                        server,
                        client,
                        NetworkNamespaces::linkDown,
                        NetworkNamespaces::linkUp);
                breakAndRepair(
                        "deaf",
                        network,
                        server,
                        client,
                        NetworkNamespaces::dropTowardsClient,
                        NetworkNamespaces::dropNothing);
                breakAndRepair(
                        "mute",
                        network,
                        server,
                        client,
                        NetworkNamespaces::dropTowardsServer,
                        NetworkNamespaces::dropNothing);
                var events =
                        client.lines().stream().filter(line -> !line.matches("(get|problem) .*"));
                assertThat(events)
                        .containsExactly(
                                "all [before]",
                                "put connected",
                                "put down-1",
                                "put down-2",
                                "put deaf-1",
                                "put deaf-2",
                                "put mute-1",
                                "put mute-2");
            }
        }
    }

    /// The first claim is created while the network is broken, the second one after.
    private static void breakAndRepair(
            String name,
            NetworkNamespaces network,
            ChildProcess server,
            ChildProcess client,
            NetworkChange breaks,
            NetworkChange repairs)
            throws Exception {
        var known = client.lines().size();
        breaks.on(network);
        client.send("get " + name + "-call");
        create(server, name + "-1");
        // The call ends, and the attempt to open a new connection fails, while the network is
        // broken.
        client.await(line -> line.startsWith("get " + name + "-call Unavailable"));
        Eventually.holds(
                "the problem is reported in " + client.lines(),
                () ->
                        client.lines().stream()
                                .skip(known)
                                .anyMatch(line -> line.startsWith("problem no API server")));
        repairs.on(network);
        create(server, name + "-2");
        client.await(line -> line.equals("put " + name + "-2"));
    }

    private static void create(ChildProcess server, String name) throws InterruptedException {
        server.send("create " + name);
        server.await(line -> line.equals(name + " done"));
    }
}
