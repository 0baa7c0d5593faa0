package dev.berth.client.integration;

import dev.berth.harness.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/// A JVM with the class path of the tests, controlled by lines of its standard input and output.
final class ChildProcess implements AutoCloseable {

    private final Process process;
    private final PrintWriter commands;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private ChildProcess(Process process) {
        this.process = process;
        this.commands = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
    }

    static ChildProcess start(List<String> wrapper, Class<?> main, String... arguments)
            throws IOException {
        var command = new ArrayList<>(wrapper);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        var started =
                new ChildProcess(
                        new ProcessBuilder(command)
                                .redirectError(ProcessBuilder.Redirect.INHERIT)
                                .start());
        Thread.ofVirtual().start(started::read);
        return started;
    }

    private void read() {
        try (var reader = process.inputReader(StandardCharsets.UTF_8)) {
            collect(reader);
        } catch (IOException _) {
            // The process has ended.
        }
    }

    private void collect(BufferedReader reader) throws IOException {
        for (var line = reader.readLine(); line != null; line = reader.readLine()) {
            lines.add(line);
        }
    }

    /// Sends a command.
    void send(String command) {
        commands.println(command);
    }

    /// Lines printed so far.
    List<String> lines() {
        return lines;
    }

    /// Waits for a line.
    String await(Predicate<String> wanted) throws InterruptedException {
        Eventually.holds(
                "a line of " + lines, () -> !process.isAlive() || lines.stream().anyMatch(wanted));
        return lines.stream()
                .filter(wanted)
                .findFirst()
                .orElseThrow(() -> new AssertionError("the process ended; output: " + lines));
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
