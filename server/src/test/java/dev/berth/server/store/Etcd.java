package dev.berth.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.server.store.etcd.EtcdAccess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/// A real etcd on free ports of this machine. Tests that need it are skipped where it is not
/// installed.
public final class Etcd implements AutoCloseable {

    private final Path directory;
    private final List<String> options;
    private final int clientPort = freePort();
    private final int peerPort = freePort();
    private @Nullable Process process;

    private Etcd(Path directory, List<String> options) throws IOException {
        this.directory = directory;
        this.options = options;
    }

    public static Etcd start(Path directory, String... options) throws Exception {
        Assumptions.assumeTrue(
                Stream.of(System.getenv("PATH").split(":", -1))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, "etcd"))),
                "etcd is not installed (Debian: apt-get install etcd-server)");
        var etcd = new Etcd(directory, List.of(options));
        etcd.start();
        return etcd;
    }

    public void start() throws Exception {
        var client = (options.isEmpty() ? "http" : "https") + "://127.0.0.1:" + clientPort;
        var peer = "http://127.0.0.1:" + peerPort;
        var command =
                new ArrayList<>(
                        List.of(
                                "etcd",
                                "--name=test",
                                "--data-dir=" + directory.resolve("etcd"),
                                "--listen-client-urls=" + client,
                                "--advertise-client-urls=" + client,
                                "--listen-peer-urls=" + peer,
                                "--initial-advertise-peer-urls=" + peer,
                                "--initial-cluster=test=" + peer,
                                "--unsafe-no-fsync=true",
                                "--logger=zap"));
        command.addAll(options);
        var started =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("etcd.log").toFile())
                        .start();
        process = started;
        Eventually.holds(() -> {
            assertThat(started.isAlive()).as("etcd, see " + directory + "/etcd.log").isTrue();
            return isReachable();
        });
    }

    /// Kills the process, as in a crash.
    public void kill() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }

    public int port() {
        return clientPort;
    }

    public EtcdAccess access() {
        return EtcdAccess.plain("127.0.0.1:" + clientPort);
    }

    private boolean isReachable() {
        try (var _ = new Socket(InetAddress.getLoopbackAddress(), clientPort)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
