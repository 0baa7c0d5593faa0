package dev.berth.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.BerthProcess;
import dev.berth.client.Cluster;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Server, agent and driver as separate processes, one of which is killed at each step of a pod's
/// lifecycle. In the end nothing is prepared, mounted, running or allocated.
class KilledNodeTest {

    /// The killed process.
    enum Part {
        SERVER,
        AGENT,
        DRIVER
    }

    private static final String POD =
            """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaimTemplate
            metadata: {name: disk}
            spec:
              spec:
                devices:
                  requests:
                  - name: disk
                    exactly:
                      deviceClassName: disk.berth.dev
                      capacity: {requests: {size: 16Mi}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: p}
            spec:
              terminationGracePeriodSeconds: 1
              resourceClaims: [{name: disk, resourceClaimTemplateName: disk}]
              containers:
              - name: a
                image: busybox
                command: [sleep, '100000']
                resources: {claims: [{name: disk}]}
            """;

    private final Map<Part, BerthProcess> processes = new EnumMap<>(Part.class);
    private Optional<Path> directory = Optional.empty();
    private Optional<HttpCluster> connection = Optional.empty();
    private int port;

    @BeforeEach
    void start() throws Exception {
        RealMachine.assumeContainers();
        directory = Optional.of(Files.createTempDirectory("kn"));
        BusyboxLayout.add(root(), Files.createDirectories(home().resolve("image")));
        try (var socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        for (var part : Part.values()) {
            start(part);
        }
        var around = new ProgramEnvironment(Map.of(), home(), home(), Clock.systemUTC());
        connection =
                Optional.of(
                        new HttpCluster(
                                ClusterAccess.find(
                                        around, Optional.of(kubeconfig()), Optional.empty()),
                                ClientOptions.of("test", "0")));
    }

    private Path home() {
        return directory.orElseThrow();
    }

    private Path root() {
        return home().resolve("n");
    }

    private Path kubeconfig() {
        return home().resolve("data/kubeconfig");
    }

    private Cluster cluster() {
        return connection.orElseThrow();
    }

    private void start(Part part) throws IOException {
        var process = BerthProcess.start(arguments(part).split(" ", -1));
        processes.put(part, process);
        process.awaitLine(line ->
                line.contains("is up at")
                        || line.contains("takes pods")
                        || line.contains("runs for"));
    }

    private String arguments(Part part) {
        return switch (part) {
            case SERVER -> "up --data-dir %s/data --port %d --nodes cpu=0".formatted(home(), port);
            case AGENT ->
                    ("node --kubeconfig %s --name real --root %s --drivers none --stop-pods"
                                    + " --address 127.0.0.1 --port 0 --pod-addresses 10.192.0.0/16")
                            .formatted(kubeconfig(), root());
            case DRIVER ->
                    "driver disk --kubeconfig %s --node real --root %s --cdi-dir %s/cdi"
                            .formatted(kubeconfig(), root(), root());
        };
    }

    private void kill(Part part) throws Exception {
        var process = processes.remove(part);
        if (process != null) {
            process.kill();
        }
        start(part);
    }

    @AfterEach
    void stop() throws Exception {
        connection.ifPresent(HttpCluster::close);
        for (var process : processes.values()) {
            process.close();
        }
        if (directory.isPresent()) {
            RealMachine.remove(home());
        }
    }

    @ParameterizedTest
    @EnumSource(Part.class)
    void nothingRemainsWhicheverProcessIsKilled(Part part) throws Exception {
        RealMachine.apply(cluster(), POD);
        kill(part);
        awaitPhase("Running");
        var running = container();
        kill(part);
        awaitPhase("Running");
        assertThat(container()).isEqualTo(running);
        RealMachine.delete(cluster(), "p");
        kill(part);
        awaitPhase("gone");
        RealMachine.await("its claim is gone", () -> RealMachine.claims(cluster()) == 0);
        RealMachine.await("nothing is left", () -> RealMachine.leftovers(root()).isEmpty());
    }

    private void awaitPhase(String phase) throws Exception {
        RealMachine.await(
                "the pod is " + phase, () -> RealMachine.phase(cluster(), "p").equals(phase));
    }

    private String container() {
        return RealMachine.pod(cluster(), "p")
                .orElseThrow()
                .objectOrEmpty("status")
                .objects("containerStatuses")
                .getFirst()
                .text("containerID");
    }
}
