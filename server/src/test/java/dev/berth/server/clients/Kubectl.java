package dev.berth.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/// The machine's kubectl, with an empty home directory.
final class Kubectl {

    private static final int PATIENCE_SECONDS = 60;

    /// Exit code and output of a run.
    record Run(int exit, String out, String err) {}

    private final Path home;
    private final Path kubeconfig;

    Kubectl(Path home, Path kubeconfig) {
        assumePresent();
        this.home = home;
        this.kubeconfig = kubeconfig;
    }

    /// Skips the test when the machine has no kubectl.
    static void assumePresent() {
        var found = false;
        for (var directory : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            found |= Files.isExecutable(Path.of(directory, "kubectl"));
        }
        Assumptions.assumeTrue(found, "there is no kubectl on the PATH");
    }

    /// The path of a new file with this content.
    String file(String name, String content) {
        try {
            return Files.writeString(home.resolve(name), content).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The path of a new script.
    String script(String name, String content) {
        var path = Path.of(file(name, content));
        try {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return path.toString();
    }

    /// The output of a run that must succeed.
    String ok(String... arguments) {
        var run = run(arguments);
        assertThat(run.exit).as("kubectl %s: %s", List.of(arguments), run).isZero();
        return run.out.strip();
    }

    /// The output of a run that must fail.
    String fails(String... arguments) {
        var run = run(arguments);
        assertThat(run.exit).as("kubectl %s: %s", List.of(arguments), run).isNotZero();
        return (run.out + run.err).strip();
    }

    /// The output of `kubectl apply` of this text.
    String apply(String yaml) {
        return ok("apply", "-f", file("applied.yaml", yaml));
    }

    Run run(String... arguments) {
        try (var running = start(arguments)) {
            return running.end();
        }
    }

    /// Starts a run in the background.
    Running start(String... arguments) {
        try {
            var command = new ArrayList<>(List.of("kubectl"));
            command.addAll(List.of(arguments));
            var out = Files.createTempFile(home, "run", ".out");
            var err = Files.createTempFile(home, "run", ".err");
            var builder =
                    new ProcessBuilder(command)
                            .redirectInput(
                                    ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                            .redirectOutput(out.toFile())
                            .redirectError(err.toFile());
            var environment = builder.environment();
            environment.put("HOME", home.toString());
            environment.put("KUBECONFIG", kubeconfig.toString());
            environment.put("EDITOR", home.resolve("editor").toString());
            return new Running(builder.start(), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A run in the background.
    record Running(Process process, Path out, Path err) implements AutoCloseable {

        String printed() {
            try {
                return Files.readString(out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        Run end() {
            try {
                assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .as("kubectl ends")
                        .isTrue();
                return new Run(process.exitValue(), printed(), Files.readString(err));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
