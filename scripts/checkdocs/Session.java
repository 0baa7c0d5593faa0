import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// The shell in which the commands of one page run, one after the other: a bash with the repository
/// as its working directory, an empty home directory and, where the system permits it, a network of
/// its own, so that ports are free. [#close] ends every process that the commands have left
// running.
final class Session implements AutoCloseable {

    /// The result of a command.
    ///
    /// @param failure the first command that failed with its exit code; empty when all succeeded
    /// @param output standard output and standard error
    record Result(Optional<String> failure, String output) {}

    private static final int COMMAND_TIMEOUT_SECONDS = 300;
    private static final String ENDED = "session ended";

    private final String token = "check-docs-" + UUID.randomUUID();
    private final Directories directories;
    private final Path work;
    private final Process shell;
    private final Writer input;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private int count;

    private Session(Directories directories, Path work, boolean isIsolated) throws IOException {
        this.directories = directories;
        this.work = work;
        var builder =
                new ProcessBuilder(command(isIsolated))
                        .directory(directories.root().toFile())
                        .redirectError(work.resolve("shell.log").toFile());
        var environment = builder.environment();
        environment.keySet().removeIf(Session::isPersonal);
        environment.put("HOME", directories.home().toString());
        environment.put("TMPDIR", directories.temporary().toString());
        environment.put("COLUMNS", "100");
        environment.put("CI", "true");
        environment.put(LeftOverProcesses.VARIABLE, token);
        this.shell = builder.start();
        this.input = shell.outputWriter();
        Thread.ofVirtual().start(() -> readAnswers(shell.inputReader()));
    }

    static Session open(Path root, boolean isIsolated) throws IOException {
        var work = Files.createTempDirectory("check-docs-");
        var directories = new Directories(root, work.resolve("home"), work.resolve("tmp"));
        Files.createDirectory(directories.home());
        Files.createDirectory(directories.temporary());
        return new Session(directories, work, isIsolated);
    }

    /// Whether sessions can have a network of their own.
    static boolean canIsolate() throws IOException, InterruptedException {
        var attempt =
                new ProcessBuilder("unshare", "--net", "ip", "link", "set", "lo", "up")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        try {
            return attempt.start().waitFor() == 0;
        } catch (IOException _) {
            return false;
        }
    }

    Directories directories() {
        return directories;
    }

    Result run(Command command) throws IOException, InterruptedException {
        var id = ++count;
        var script = work.resolve("command-" + id);
        var output = work.resolve("output-" + id);
        var failures = work.resolve("failures-" + id);
        Files.writeString(script, command.text() + "\n");
        var trap = "echo \"$BASH_COMMAND (exit code $?)\" >>'" + failures + "'";
        input.write(
                """
                set -E; trap '%s' ERR
                . '%s' >'%s' 2>&1 </dev/null
                trap - ERR; echo "done %d"
                """
                        .formatted(trap.replace("'", "'\\''"), script, output, id));
        input.flush();
        var answer = Optional.ofNullable(answers.poll(COMMAND_TIMEOUT_SECONDS, TimeUnit.SECONDS));
        var text = Files.exists(output) ? Files.readString(output) : "";
        if (!answer.equals(Optional.of("done " + id))) {
            var reason = answer.orElse("no end after " + COMMAND_TIMEOUT_SECONDS + " s");
            answers.add(ENDED);
            return new Result(Optional.of(reason), text);
        }
        var failed = Files.exists(failures) ? Files.readAllLines(failures) : List.<String>of();
        return new Result(failed.stream().findFirst(), text);
    }

    @Override
    public void close() throws IOException {
        input.close();
        LeftOverProcesses.end(token);
        shell.destroyForcibly();
        deleteAll();
    }

    /// Variables of the caller that a new user would not have.
    private static boolean isPersonal(String variable) {
        return variable.startsWith("BERTH_")
                || List.of("KUBECONFIG", "NO_COLOR", "MAVEN_OPTS", "CDPATH", "BASH_ENV")
                        .contains(variable);
    }

    private static List<String> command(boolean isIsolated) {
        var shell = List.of("bash", "--noprofile", "--norc");
        if (!isIsolated) {
            return shell;
        }
        var all = new ArrayList<>(List.of("unshare", "--net", "sh", "-c"));
        all.add("ip link set lo up && exec \"$@\"");
        all.add("sh");
        all.addAll(shell);
        return all;
    }

    private void readAnswers(BufferedReader reader) {
        try (reader) {
            reader.lines().forEach(answers::add);
        } catch (IOException _) {
            // The shell has ended, which the line below reports.
        }
        answers.add(ENDED);
    }

    private void deleteAll() throws IOException {
        new ProcessBuilder("rm", "-rf", work.toString()).inheritIO().start().onExit().join();
    }
}
