package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher `berth` and `scripts/train-aot`, with a stand-in for Java that records its
/// arguments.
class LauncherTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /// Writes its arguments to `java.log`; makes the cache when it is trained; a command `bench`
    /// lasts until the file `bench-ends` exists.
    private static final String JAVA =
            """
            #!/bin/bash
            echo "$@" >>"DIRECTORY/java.log"
            for argument in "$@"; do
                case $argument in
                    -XX:AOTCacheOutput=*) echo cache >"${argument#*=}" ;;
                    bench) while [ ! -e "DIRECTORY/bench-ends" ]; do sleep 0.05; done ;;
                esac
            done
            """;

    @TempDir private Path directory;
    private Path dist;

    @BeforeEach
    void copyTheLauncher() throws IOException {
        dist = Files.createDirectories(directory.resolve("app/target/dist"));
        Files.createDirectories(dist.resolve("lib"));
        for (var module : List.of("pom.xml", "app/pom.xml")) {
            Files.createFile(directory.resolve(module));
        }
        Files.createDirectories(directory.resolve("app/src/main"));
        Files.createFile(dist.resolve("complete"));
        Files.copy(ROOT.resolve("berth"), directory.resolve("berth"));
        Files.createDirectories(directory.resolve("scripts"));
        for (var script : List.of("jdk.sh", "jvm-options.sh", "train-aot")) {
            Files.copy(
                    ROOT.resolve("scripts").resolve(script),
                    directory.resolve("scripts").resolve(script));
        }
        var bin = Files.createDirectories(directory.resolve("jdk/bin"));
        Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"25.0.3\"\n");
        for (var program : List.of("java", "javac")) {
            Files.writeString(
                    bin.resolve(program), JAVA.replace("DIRECTORY", directory.toString()));
            Files.setPosixFilePermissions(
                    bin.resolve(program), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private Process start(String ci, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(directory.resolve("berth").toString()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
        builder.environment().put("CI", ci);
        return builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    }

    private void run(String ci, String... arguments) throws Exception {
        var process = start(ci, arguments);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(directory.resolve("java.log"));
    }

    private void awaitCache() throws Exception {
        Eventually.holds("the cache exists", () -> Files.exists(dist.resolve("berth.aot")));
    }

    @Test
    void theFirstCommandRunsWithoutTheCacheAndTheCacheIsTrainedAfterIt() throws Exception {
        run("", "lint", "--help");
        awaitCache();
        run("", "lint", "--help");

        var calls = calls();
        assertThat(calls).hasSize(3);
        assertThat(calls.get(0)).doesNotContain("AOT").endsWith("dev.berth.app.Berth lint --help");
        assertThat(calls.get(1)).contains("berth.aot.new").endsWith("rehearse");
        assertThat(calls.get(2)).contains("-XX:AOTCache=" + dist.resolve("berth.aot"));
        assertThat(dist.resolve("berth.aot.new")).doesNotExist();
    }

    @Test
    void nothingIsTrainedInContinuousIntegration() throws Exception {
        run("true", "lint", "--help");
        run("true", "lint", "--help");

        assertThat(calls()).hasSize(2).noneMatch(call -> call.contains("AOT"));
        assertThat(dist.resolve("train.lock")).doesNotExist();
    }

    @Test
    void nothingIsTrainedWhileABenchmarkRuns() throws Exception {
        // Otherwise the launcher trains after the benchmark, too.
        var bench = start("true", "bench", "server");
        Eventually.holds(() -> Files.exists(directory.resolve("java.log")));
        var training = new ProcessBuilder(directory.resolve("scripts/train-aot").toString());
        training.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
        var trainer = training.start();
        assertThat(trainer.waitFor(500, TimeUnit.MILLISECONDS)).as("waits").isFalse();
        assertThat(calls()).hasSize(1);

        Files.createFile(directory.resolve("bench-ends"));
        assertThat(bench.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(trainer.waitFor(60, TimeUnit.SECONDS)).isTrue();
        awaitCache();
    }
}
