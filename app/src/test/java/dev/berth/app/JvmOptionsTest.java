package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The launcher's choice of Java options, `scripts/jvm-options.sh`.
class JvmOptionsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final List<String> SERVICES =
            List.of("up", "serve", "schedule", "control", "node", "bench", "demo");

    /// Java with a young generation as large as the heap does not start with our cache.
    @ParameterizedTest
    @ValueSource(ints = {128, 256, 512, 1024, 2048, 2100, 4096, 8192, 24_000})
    void theYoungGenerationFitsIntoTheHeap(int memory) throws Exception {
        for (var command : SERVICES) {
            var options = options(command, memory, 2);

            var heap = memory * number(options, "-XX:MaxRAMPercentage=", "") / 100;
            assertThat(number(options, "-XX:MaxNewSize=", "m") * 2).as(command).isLessThan(heap);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:MaxRAM=512m", "-Xmx64m", "-XX:MaxHeapSize=64m"})
    void givenLimitsOfMemoryLowerTheYoungGeneration(String limit) throws Exception {
        for (var command : SERVICES) {
            var options = options(command, 24_000, 8, limit);

            assertThat(number(options, "-XX:MaxNewSize=", "m")).as(command).isLessThanOrEqualTo(32);
        }
    }

    /// A wrong option ends Java with code 1.
    @Test
    void javaAcceptsAllOptions() throws Exception {
        for (var command : SERVICES) {
            var java = new ArrayList<String>();
            java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            java.addAll(options(command, 24_000, 8, "-XX:MaxRAM=512m"));
            java.addAll(List.of("-XX:MaxRAM=512m", "-version"));
            assertThat(run(java)).as(command).contains("64-Bit");
        }
    }

    @Test
    void aGivenCollectorTakesThePlaceOfOurs() throws Exception {
        for (var command : List.of("up", "bench", "lint")) {
            assertThat(options(command, 24_000, 8, "-XX:+UseG1GC"))
                    .noneMatch(option -> option.endsWith("GC"));
        }
    }

    @Test
    void benchmarksHaveRoomWhereThereIsMemory() throws Exception {
        assertThat(options("bench", 24_000, 2))
                .containsExactlyInAnyOrder(
                        "-XX:+UseParallelGC", "-XX:MaxRAMPercentage=50", "-XX:MaxNewSize=1024m");
    }

    @Test
    void longRunningCommandsTrimTheirHeap() throws Exception {
        for (var command : List.of("up", "schedule", "control")) {
            assertThat(options(command, 24_000, 2))
                    .contains("-Xms48m", "-D" + HeapTrimmer.PROPERTY + "=50");
        }
    }

    @Test
    void shortCommandsUseOneCompilerTier() throws Exception {
        assertThat(options("lint", 24_000, 2))
                .containsExactlyInAnyOrder("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    }

    @Test
    void withoutLimitThereIsTheMemoryOfTheMachine(@TempDir Path root) throws Exception {
        machine(root, "0::/user.slice\n4:memory:/user\n");
        write(root, "sys/fs/cgroup/user.slice/memory.max", "max\n");
        write(root, "sys/fs/cgroup/memory/user/memory.limit_in_bytes", "9223372036854771712\n");

        assertThat(memory(root)).isEqualTo("16000");
    }

    @Test
    void aLimitOfACgroupAboveCounts(@TempDir Path root) throws Exception {
        machine(root, "0::/pods/pod-1/container\n");
        write(root, "sys/fs/cgroup/pods/memory.max", "1073741824\n");
        write(root, "sys/fs/cgroup/pods/pod-1/memory.max", "536870912\n");
        write(root, "sys/fs/cgroup/pods/pod-1/container/memory.max", "max\n");

        assertThat(memory(root)).isEqualTo("512");
    }

    @Test
    void aLimitOfTheFirstVersionOfCgroupsCounts(@TempDir Path root) throws Exception {
        machine(root, "5:cpu,cpuacct:/a\n4:memory:/a\n0::/\n");
        write(root, "sys/fs/cgroup/memory/a/memory.limit_in_bytes", "536870912\n");

        assertThat(memory(root)).isEqualTo("512");
    }

    @Test
    void inAContainerTheLimitIsAtTheTop(@TempDir Path root) throws Exception {
        machine(root, "4:memory:/docker/0123456789\n");
        write(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456\n");

        assertThat(memory(root)).isEqualTo("256");
    }

    private static void machine(Path root, String cgroups) throws IOException {
        write(root, "proc/meminfo", "MemTotal:       16384000 kB\nMemFree:  1 kB\n");
        write(root, "proc/self/cgroup", cgroups);
    }

    private static void write(Path root, String file, String text) throws IOException {
        Files.createDirectories(root.resolve(file).resolveSibling(""));
        Files.writeString(root.resolve(file), text);
    }

    private static String memory(Path root) throws Exception {
        return bash("berth_memory_mb \"$1\"; echo \"$REPLY\"", root.toString()).strip();
    }

    private static List<String> options(String command, int memory, int cores, String... given)
            throws Exception {
        var arguments =
                Stream.concat(
                        Stream.of(command, String.valueOf(memory), String.valueOf(cores)),
                        Stream.of(given));
        return bash(
                        "berth_jvm_options \"$@\"; printf '%s\\n' \"${BERTH_JVM_OPTIONS[@]}\"",
                        arguments.toArray(String[]::new))
                .lines()
                .toList();
    }

    private static int number(List<String> options, String start, String end) {
        return options.stream()
                .filter(option -> option.startsWith(start) && option.endsWith(end))
                .map(option -> option.substring(start.length(), option.length() - end.length()))
                .mapToInt(Integer::parseInt)
                .findFirst()
                .orElseThrow();
    }

    private static String bash(String script, String... arguments) throws Exception {
        var sourced = "set -euo pipefail; . " + ROOT.resolve("scripts/jvm-options.sh") + "; ";
        var command = new ArrayList<>(List.of("bash", "-c", sourced + script, "test"));
        command.addAll(List.of(arguments));
        return run(command);
    }

    private static String run(List<String> command) throws Exception {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
