package dev.berth.node.oci;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.node.runtime.ContainerState.Phase;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.safepath.MountTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A runtime that is killed at any moment leaves nothing that the next one does not know and cannot
/// remove.
class KilledRuntimeTest {

    private static final int KILLS = 6;
    private static final int LONGEST_LIFE_MILLIS = 700;
    private static final long SEED = 20261116;

    private RuntimeRig rig;

    @BeforeEach
    void start() throws IOException, RuntimeFailure {
        rig = RuntimeRig.start();
    }

    @AfterEach
    void stop() throws IOException, RuntimeFailure {
        if (rig != null) {
            rig.close();
        }
    }

    @Test
    void aRuntimeKilledAtAnyMomentLeavesNothing() throws Exception {
        rig.runtime().close();
        var random = new Random(SEED);
        for (var i = 0; i < KILLS; i++) {
            killAfter(random.nextInt(LONGEST_LIFE_MILLIS));
        }
        rig.restart();
        assertThat(rig.runtime().sandboxes()).allMatch(one -> one.isReady());
        for (var container : rig.runtime().containers()) {
            if (container.phase() instanceof Phase.Running) {
                rig.runtime().run(container.id(), List.of("true"), Programs.TIMEOUT);
            }
        }
        for (var sandbox : rig.runtime().sandboxes()) {
            rig.runtime().removeSandbox(sandbox.id());
        }
        rig.runtime().close();
        assertThat(left()).isEmpty();
        rig.restart();
    }

    private void killAfter(int millis) throws IOException, InterruptedException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var process =
                new ProcessBuilder(
                                java,
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-XX:TieredStopAtLevel=1",
                                BusyRuntime.class.getName(),
                                rig.root.toString(),
                                rig.settings.cgroupParent(),
                                rig.settings.addresses().toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo("begun");
            Thread.sleep(millis);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /// Mounts, processes, cgroups, links and files of the runtime's directory.
    private List<String> left() throws IOException {
        var mounts = MountTable.read().below(rig.root).stream().map(Path::toString);
        var groups = groups().stream();
        var host = rig.settings.addresses().host();
        var links =
                Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                        .filter(one ->
                                one.inetAddresses()
                                        .anyMatch(address -> address.getHostAddress().equals(host)))
                        .map(NetworkInterface::getName);
        var processes =
                ProcessHandle.allProcesses()
                        .map(one -> one.info().commandLine().orElse(""))
                        .filter(line -> line.contains(rig.settings.state().toString()));
        return Stream.of(mounts, groups, links, processes, files()).flatMap(one -> one).toList();
    }

    private List<String> groups() throws IOException {
        try (var hierarchies = Files.walk(Path.of("/sys/fs/cgroup"), 2)) {
            return hierarchies
                    .filter(one -> one.endsWith(rig.settings.cgroupParent()))
                    .map(Path::toString)
                    .toList();
        }
    }

    private Stream<String> files() throws IOException {
        var state = rig.settings.state();
        try (var all = Files.walk(state)) {
            return all
                    .filter(one -> !one.equals(state))
                    .filter(one -> state.relativize(one).getNameCount() > 1)
                    .map(Path::toString)
                    .toList()
                    .stream();
        }
    }
}
