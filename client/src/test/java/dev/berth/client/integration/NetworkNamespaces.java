package dev.berth.client.integration;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Two network namespaces connected by a veth pair: one for a server, one for a client.
final class NetworkNamespaces implements AutoCloseable {

    static final String SERVER_ADDRESS = "192.0.2.2";
    private static final String CLIENT_ADDRESS = "192.0.2.1";

    /// A neighbor that does not exist: packets to it are dropped without an error.
    private static final String LOST = "02:00:00:00:00:01";

    // The process id keeps names of concurrent test runs apart.
    private final String server = "berth-link-s" + ProcessHandle.current().pid();
    private final String client = "berth-link-c" + ProcessHandle.current().pid();

    /// Skips the test where namespaces cannot be created.
    static NetworkNamespaces create() throws IOException {
        var tool =
                List.of("/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip", "/bin/ip").stream()
                        .anyMatch(file -> Files.isExecutable(Path.of(file)));
        assumeTrue(tool, "skipped: the command ip (iproute2) is missing");
        assumeTrue("root".equals(System.getProperty("user.name")), "skipped: needs root");
        var made = new NetworkNamespaces();
        assumeTrue(
                exitCode("ip", "netns", "add", made.server) == 0,
                "skipped: network namespaces cannot be created here");
        try {
            made.connect();
        } catch (IOException | RuntimeException e) {
            made.close();
            throw e;
        }
        return made;
    }

    private void connect() throws IOException {
        ip("netns", "add", client);
        ip("-n", server, "link", "add", "eth0", "type", "veth", "peer", "eth0", "netns", client);
        for (var one : List.of(server, client)) {
            var address = one.equals(server) ? SERVER_ADDRESS : CLIENT_ADDRESS;
            ip("-n", one, "link", "set", "lo", "up");
            ip("-n", one, "addr", "add", address + "/24", "dev", "eth0");
            ip("-n", one, "link", "set", "eth0", "up");
        }
    }

    /// Takes the link down on the client's side; no connection is reset.
    void linkDown() throws IOException {
        ip("-n", client, "link", "set", "eth0", "down");
    }

    void linkUp() throws IOException {
        ip("-n", client, "link", "set", "eth0", "up");
    }

    /// Drops packets from the server to the client.
    void dropTowardsClient() throws IOException {
        neighbor(server, CLIENT_ADDRESS, "replace", "lladdr", LOST, "nud", "permanent");
    }

    /// Drops packets from the client to the server.
    void dropTowardsServer() throws IOException {
        neighbor(client, SERVER_ADDRESS, "replace", "lladdr", LOST, "nud", "permanent");
    }

    void dropNothing() throws IOException {
        exitCode("ip", "-n", server, "neigh", "del", CLIENT_ADDRESS, "dev", "eth0");
        exitCode("ip", "-n", client, "neigh", "del", SERVER_ADDRESS, "dev", "eth0");
    }

    private static void neighbor(String namespace, String address, String act, String... how)
            throws IOException {
        var command = new ArrayList<>(List.of("-n", namespace, "neigh", act, address));
        command.addAll(List.of(how));
        command.addAll(List.of("dev", "eth0"));
        ip(command.toArray(String[]::new));
    }

    /// Starts a main class of the tests in the namespace of the server.
    ChildProcess startServer(Class<?> main, String... arguments) throws IOException {
        return ChildProcess.start(List.of("ip", "netns", "exec", server), main, arguments);
    }

    /// Starts a main class of the tests in the namespace of the client.
    ChildProcess startClient(Class<?> main, String... arguments) throws IOException {
        return ChildProcess.start(List.of("ip", "netns", "exec", client), main, arguments);
    }

    private static void ip(String... arguments) throws IOException {
        var command = new ArrayList<String>();
        command.add("ip");
        command.addAll(List.of(arguments));
        var code = exitCode(command.toArray(String[]::new));
        if (code != 0) {
            throw new IOException(command + " failed with exit code " + code);
        }
    }

    private static int exitCode(String... command) throws IOException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(List.of(command) + " was interrupted: " + output, e);
        }
    }

    /// Deletes both namespaces, and the veth pair with them.
    @Override
    public void close() throws IOException {
        exitCode("ip", "netns", "delete", server);
        exitCode("ip", "netns", "delete", client);
    }
}
