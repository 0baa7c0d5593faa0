package dev.berth.node.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.metrics.MetricsRegistry;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import dev.berth.server.access.User;
import dev.berth.server.operation.InProcessApi;
import dev.berth.server.operation.ObjectOperation;
import dev.berth.server.operation.ObjectPath;
import dev.berth.server.operation.RequestDocument;
import dev.berth.server.operation.WriteOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/// Fixture: an API server, a node endpoint, and kubectl.
final class EndpointRig implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 60;
    private static final User ADMIN = User.of("admin", "system:masters");
    static final String NODE = "machine";

    /// Result of a kubectl run.
    record Run(int exit, String out, String err) {}

    final ApiServer server;
    final HostProcesses runtime = new HostProcesses();
    final NodeEndpoint endpoint;
    private final Path home;
    private final Map<ObjectRef, JsonObject> pods = new ConcurrentHashMap<>();
    private final List<Process> processes = new ArrayList<>();

    EndpointRig(Path home) {
        assumeKubectl();
        this.home = home;
        this.server =
                ApiServer.start(
                        ServerSettings.in(home.resolve("server"))
                                .withAddress("127.0.0.1", 0)
                                .withStore(new StoreChoice.Memory()));
        this.endpoint =
                NodeEndpoint.start(
                        EndpointOptions.local(
                                home.resolve("door"), List.of(server.authority().certificate())),
                        runtime,
                        new KnownPods(),
                        metrics());
    }

    private static MetricsRegistry metrics() {
        var registry = MetricsRegistry.measuring();
        registry.counter("endpoints_opened_total", "Endpoints.").with().increment();
        return registry;
    }

    private static void assumeKubectl() {
        var found = false;
        for (var directory : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            found |= Files.isExecutable(Path.of(directory, "kubectl"));
        }
        Assumptions.assumeTrue(found, "there is no kubectl on the PATH");
    }

    private final class KnownPods implements PodLookup {
        @Override
        public Optional<Found> pod(ObjectRef pod) {
            return Optional.ofNullable(pods.get(pod)).map(one -> new Found(one, logs(pod.name())));
        }

        @Override
        public List<JsonObject> pods() {
            return List.copyOf(pods.values());
        }
    }

    Path logs(String pod) {
        return home.resolve("logs").resolve(pod);
    }

    /// Creates the log of a container with these lines.
    Path log(String pod, String container, int attempt, String... lines) {
        var file = logs(pod).resolve(container).resolve(attempt + ".log");
        var text = new StringBuilder();
        for (var line : lines) {
            text.append("2026-11-16T10:00:00.5Z stdout F ").append(line).append('\n');
        }
        try {
            Files.createDirectories(file.getParent());
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Registers the node and its endpoint in the cluster.
    void register() {
        register(endpoint.fingerprint().hex());
    }

    void register(String certificate) {
        send(
                "/api/v1/nodes",
                """
                {"metadata": {"name": "%s", "annotations":
                  {"berth.dev/serving-certificate": "%s"}},
                 "status": {"addresses": [{"type": "InternalIP", "address": "%s"}],
                  "daemonEndpoints": {"kubeletEndpoint": {"Port": %d}}}}
                """
                        .formatted(NODE, certificate, endpoint.host(), endpoint.port()));
    }

    /// Creates a pod with these containers on the node.
    Uid pod(String name, String... containers) {
        var list = new ArrayList<Json>();
        for (var container : containers) {
            list.add(JsonObject.of("name", Json.of(container)).with("image", Json.of("i")));
        }
        var spec = JsonObject.of("nodeName", Json.of(NODE)).with("containers", Json.array(list));
        var pod =
                JsonObject.of("metadata", JsonObject.of("name", Json.of(name))).with("spec", spec);
        var made = send("/api/v1/namespaces/default/pods", pod);
        pods.put(new ObjectRef("default", name), made);
        return new Uid(made.objectOrEmpty("metadata").text("uid"));
    }

    JsonObject send(String path, String json) {
        var read = (ParseResult.Documents) JsonReader.read(json);
        return send(path, (JsonObject) read.documents().getFirst().root());
    }

    private JsonObject send(String path, JsonObject object) {
        var parts = path.split("/", -1);
        var namespace = parts.length > 4 ? parts[4] : "";
        var collection = new ObjectPath("", "v1", namespace, parts[parts.length - 1], "", "");
        var operation =
                new ObjectOperation.Create(
                        collection, WriteOptions.of("test"), RequestDocument.of(object));
        return switch (server.inProcess().send(ADMIN, operation)) {
            case InProcessApi.Result.Success(var created) -> created;
            case InProcessApi.Result.Failure(var error) -> throw new AssertionError(error);
        };
    }

    /// Runs kubectl, which must succeed.
    String ok(String... arguments) {
        var run = run("", arguments);
        assertThat(run.exit).as(run.toString()).isZero();
        return run.out;
    }

    /// Output of a kubectl run that must fail.
    String fails(String... arguments) {
        var run = run("", arguments);
        assertThat(run.exit).as(run.toString()).isNotZero();
        return run.err;
    }

    Run run(String input, String... arguments) {
        try {
            var running = start(arguments);
            running.process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
            running.process.getOutputStream().close();
            return running.end();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    Running start(String... arguments) {
        return startAs(server.kubeconfig(), arguments);
    }

    Running startAs(Path kubeconfig, String... arguments) {
        return start(kubeconfig, Map.of(), arguments);
    }

    /// Runs a kubectl that uses SPDY, as before it used WebSocket.
    Run oldFashioned(String... arguments) {
        return start(
                        server.kubeconfig(),
                        Map.of("KUBECTL_REMOTE_COMMAND_WEBSOCKETS", "false"),
                        arguments)
                .end();
    }

    private Running start(Path kubeconfig, Map<String, String> environment, String... arguments) {
        try {
            var command = new ArrayList<>(List.of("kubectl", "--kubeconfig", "" + kubeconfig));
            command.addAll(List.of(arguments));
            var out = Files.createTempFile(home, "run", ".out");
            var err = Files.createTempFile(home, "run", ".err");
            var builder =
                    new ProcessBuilder(command)
                            .redirectOutput(out.toFile())
                            .redirectError(err.toFile());
            builder.environment().put("HOME", home.toString());
            builder.environment().putAll(environment);
            var process = builder.start();
            processes.add(process);
            return new Running(process, out, err);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// A kubectl process in the background.
    record Running(Process process, Path out, Path err) {

        String printed() {
            try {
                return Files.readString(out);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        Run end() {
            try {
                assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .as("kubectl ends; so far it printed %s", printed())
                        .isTrue();
                return new Run(process.exitValue(), printed(), Files.readString(err));
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        endpoint.close();
        runtime.close();
        server.close();
    }
}
