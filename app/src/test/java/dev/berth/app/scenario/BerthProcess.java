package dev.berth.app.scenario;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// A `berth` command as a process, stopped when it is closed.
public final class BerthProcess implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 60;

    private final Process process;
    private final BufferedReader out;

    private BerthProcess(Process process) {
        this.process = process;
        this.out = process.inputReader();
    }

    public static BerthProcess start(String... arguments) throws IOException {
        return new BerthProcess(
                new ProcessBuilder(command(arguments))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
    }

    /// Starts a command with a log level and a log file.
    public static BerthProcess logging(String level, Path log, String... arguments)
            throws IOException {
        var builder = new ProcessBuilder(command(arguments)).redirectError(log.toFile());
        builder.environment().put("BERTH_LOG", level);
        return new BerthProcess(builder.start());
    }

    private static List<String> command(String... arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), "dev.berth.app.Berth"));
        command.addAll(List.of(arguments));
        return command;
    }

    /// The next printed line that matches.
    public String awaitLine(Predicate<String> isRight) throws IOException {
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            if (isRight.test(line)) {
                return line;
            }
        }
        throw new AssertionError("the process ended without saying what was waited for");
    }

    /// Reads the output until the process ends.
    public void awaitEnd() throws IOException, InterruptedException {
        while (out.readLine() != null) {}
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the process does not end");
        }
    }

    /// Sends SIGINT and waits for the end of the process.
    public void interrupt() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the process does not end");
        }
    }

    /// Sends SIGKILL.
    public void kill() throws InterruptedException {
        var _ = process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
