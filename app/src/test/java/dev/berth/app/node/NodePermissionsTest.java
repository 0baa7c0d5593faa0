package dev.berth.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.BerthProcess;
import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.model.close.CloseStack;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// File permissions of a node's directories against other users of the machine.
class NodePermissionsTest {

    private static final ResourcePath SECRETS = new ResourcePath("", "v1", "secrets");
    private static final String POD =
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: p}
            spec:
              terminationGracePeriodSeconds: 1
              volumes: [{name: s, secret: {secretName: s}}, {name: d, emptyDir: {}}]
              containers:
              - name: a
                image: busybox
                command: [sh, -c, 'cat /s/password > /d/copy; cat /d/copy; sleep 100000']
                volumeMounts: [{name: s, mountPath: /s}, {name: d, mountPath: /d}]
            """;

    private final CloseStack open = new CloseStack();
    private Path home = Path.of("");
    private Path data = Path.of("");
    private int port;

    @BeforeEach
    void prepare() throws IOException {
        RealMachine.assumeContainers();
        home = opened(Files.createTempDirectory("np"));
        data = opened(Files.createDirectories(home.resolve("data")));
        try (var socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
    }

    /// A directory with the permissions of a user's umask.
    private static Path opened(Path directory) throws IOException {
        return Files.setPosixFilePermissions(
                directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void stop() throws Exception {
        open.closeOrThrow("could not stop");
        if (!home.equals(Path.of(""))) {
            RealMachine.remove(home);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"up --node local", "node"})
    void otherUsersReadNothing(String command) throws Exception {
        var isOwnProcess = command.equals("node");
        var root = opened(Files.createDirectories((isOwnProcess ? home : data).resolve("node")));
        BusyboxLayout.add(root, Files.createDirectories(home.resolve("image")));
        opened(root.resolve("images"));
        start(
                "up --data-dir %s --port %d --nodes cpu=0".formatted(data, port)
                        + (isOwnProcess ? "" : " --node local" + flags()),
                "is up at");
        if (isOwnProcess) {
            start(
                    "node --kubeconfig %s/kubeconfig --name real --root %s --port 0"
                                    .formatted(data, root)
                            + flags(),
                    "takes pods");
        }
        var cluster = connect();
        assertThat(cluster.send(Request.Create.of(SECRETS, "default", secret())).isDone()).isTrue();
        RealMachine.apply(cluster, POD);
        open.push(() -> delete(cluster, root));
        RealMachine.await("it runs", () -> RealMachine.phase(cluster, "p").equals("Running"));
        assertThat(readable("root", root)).anyMatch(file -> file.endsWith("/password"));
        assertThat(readable("nobody", root)).isEmpty();
    }

    /// Deletes the pods before the node stops, since containers keep running.
    private static void delete(HttpCluster cluster, Path root) throws Exception {
        RealMachine.delete(cluster, "p");
        RealMachine.await("it is gone", () -> RealMachine.phase(cluster, "p").equals("gone"));
        RealMachine.await("nothing is left", () -> RealMachine.leftovers(root).isEmpty());
    }

    private static String flags() {
        return " --drivers none --pod-addresses 10.193.0.0/16";
    }

    private void start(String arguments, String announcement) throws IOException {
        var process = BerthProcess.start(arguments.split(" ", -1));
        open.push(process);
        process.awaitLine(line -> line.contains(announcement));
    }

    private HttpCluster connect() {
        var around = new ProgramEnvironment(Map.of(), home, home, Clock.systemUTC());
        var access =
                ClusterAccess.find(
                        around, Optional.of(data.resolve("kubeconfig")), Optional.empty());
        var cluster = new HttpCluster(access, ClientOptions.of("test", "0"));
        open.push(cluster);
        return cluster;
    }

    private static JsonObject secret() {
        return JsonObject.of("metadata", JsonObject.of("name", Json.of("s")))
                .with("stringData", JsonObject.of("password", Json.of("hunter2")));
    }

    /// The files that a user of the machine can read.
    private static List<String> readable(String user, Path root) throws Exception {
        var find = "find %s -readable -type f".formatted(root);
        var process =
                new ProcessBuilder("su", "-s", "/bin/sh", user, "-c", find)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (var output = process.getInputStream()) {
            var found = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            var _ = process.waitFor();
            return found.lines().toList();
        }
    }
}
