package dev.berth.app.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A server in a process of its own, started with the launcher.
final class ServerProcess implements AutoCloseable {

    /// Environment variable with the path of the launcher, which chooses the options of the
    /// server's JVM.
    private static final String LAUNCHER = "BERTH_LAUNCHER";

    private final Process process;
    private final Path directory;
    private final double startSeconds;

    private ServerProcess(Process process, Path directory, double startSeconds) {
        this.process = process;
        this.directory = directory;
        this.startSeconds = startSeconds;
    }

    /// Starts a server and returns when it serves requests.
    static ServerProcess start(Path directory) throws IOException {
        var begin = System.nanoTime();
        var process =
                new ProcessBuilder(command(directory))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        // The first line is printed when the server serves requests; its content is not needed.
        var first = process.inputReader().readLine();
        if (first == null) {
            throw new IOException("the server did not start; see above for why");
        }
        var server = new ServerProcess(process, directory, 0);
        try (var connection = BenchConnection.to(server.access())) {
            connection.expect(200, "GET", "/readyz", new byte[0]);
        }
        return new ServerProcess(process, directory, (System.nanoTime() - begin) / 1e9);
    }

    private static List<String> command(Path directory) {
        var command = new ArrayList<String>();
        var launcher = System.getenv(LAUNCHER);
        if (launcher == null) {
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.add("--enable-native-access=ALL-UNNAMED");
            command.addAll(
                    List.of("-cp", System.getProperty("java.class.path"), "dev.berth.app.Berth"));
        } else {
            command.add(launcher);
        }
        command.addAll(List.of("serve", "--port", "0", "--data-dir", directory.toString()));
        return command;
    }

    BenchTarget access() {
        return BenchTarget.of(directory.resolve("kubeconfig"));
    }

    double startSeconds() {
        return startSeconds;
    }

    ProcessUsage usage() {
        return ProcessUsage.ofPid(process.pid());
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
