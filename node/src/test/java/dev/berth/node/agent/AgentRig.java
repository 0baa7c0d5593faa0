package dev.berth.node.agent;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.harness.Eventually;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.node.driver.DriverRig;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/// Fixture: a real API server with helpers for tests of the agent.
final class AgentRig implements AutoCloseable {

    static final ResourcePath PODS = ResourcePath.of(Kinds.POD);

    final Path root;
    private final ServerSettings settings;
    private ApiServer server;
    final HttpCluster cluster;

    AgentRig(Path directory) {
        this.root = directory.resolve("n");
        var home = ServerSettings.in(directory.resolve("server"));
        this.server = ApiServer.start(home.withAddress("127.0.0.1", 0));
        this.settings = home.withAddress("127.0.0.1", server.uri().getPort());
        var around = new ProgramEnvironment(Map.of(), directory, directory, Clock.systemUTC());
        var access = ClusterAccess.find(around, Optional.of(server.kubeconfig()), Optional.empty());
        this.cluster =
                new HttpCluster(
                        access,
                        ClientOptions.of("test", "0")
                                .withRandom(new Random(1))
                                .withBackoff(Duration.ofMillis(50), Duration.ofMillis(400)));
    }

    /// Stops the server.
    void pause() {
        server.close();
    }

    /// Starts the server again, with its stored objects.
    void resume() {
        server = ApiServer.start(settings);
    }

    NodeAgentOptions options() {
        return NodeAgentOptions.of(root).withName("node-1").withAddress("127.0.0.1");
    }

    JsonObject send(Request request) {
        return switch (cluster.send(request)) {
            case RequestResult.Done(var object) -> object;
            case RequestResult other -> throw new AssertionError(request + ": " + other);
        };
    }

    JsonObject create(String yaml) {
        var tree = DriverRig.tree(yaml);
        var kinds =
                Map.of(
                        "ConfigMap", new ResourcePath("", "v1", "configmaps"),
                        "Secret", new ResourcePath("", "v1", "secrets"));
        var address = kinds.getOrDefault(tree.text("kind"), PODS);
        return send(Request.Create.of(address, "default", tree));
    }

    Optional<JsonObject> pod(String name) {
        return cluster.send(new Request.Get(PODS, "default", name))
                        instanceof RequestResult.Done(var pod)
                ? Optional.of(pod)
                : Optional.empty();
    }

    JsonObject status(String name) {
        return pod(name).orElseThrow().objectOrEmpty("status");
    }

    String phase(String name) {
        return pod(name).map(one -> one.objectOrEmpty("status").text("phase")).orElse("gone");
    }

    void delete(String name) {
        send(new Request.Delete(PODS, "default", name, Optional.empty(), OptionalLong.empty()));
    }

    void awaitPhase(String pod, String phase) throws Exception {
        Eventually.holds(
                "pod " + pod + " is " + phase + " " + pod(pod), () -> phase(pod).equals(phase));
    }

    @Override
    public void close() {
        cluster.close();
        server.close();
    }
}
