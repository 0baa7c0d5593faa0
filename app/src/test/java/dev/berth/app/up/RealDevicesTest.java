package dev.berth.app.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.app.node.BusyboxLayout;
import dev.berth.app.node.LocalNode;
import dev.berth.app.node.NodeOptions;
import dev.berth.app.node.RealMachine;
import dev.berth.embedded.EmbeddedBerth;
import dev.berth.embedded.EmbeddedOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// The example `real-devices`, on this machine.
class RealDevicesTest {

    private static final Path MANIFEST = Path.of("..", "examples", "real-devices", "pod.yaml");

    @Test
    void aPodHasItsDevicesAndNoOthers() throws Exception {
        RealMachine.assumeContainers();
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "there is no core to spare");
        assumeTrue(
                Files.exists(Path.of("/dev/kvm")) || Files.exists(Path.of("/dev/fuse")),
                "there is neither /dev/kvm nor /dev/fuse");
        var directory = Files.createTempDirectory("rd");
        var root = directory.resolve("node");
        BusyboxLayout.add(root, Files.createDirectories(directory.resolve("image")));
        try (var cluster = cluster(directory);
                var node = node(cluster, directory)) {
            tryIt(cluster, node, root);
        }
        assertThat(RealMachine.leftovers(root)).isEmpty();
        RealMachine.remove(directory);
    }

    private static EmbeddedBerth cluster(Path directory) {
        return EmbeddedBerth.start(EmbeddedOptions.inMemory(directory).withNodes("cpu=1"));
    }

    private static LocalNode node(EmbeddedBerth cluster, Path directory) throws Exception {
        var flags =
                CommandLine.populateCommand(new NodeOptions(), "--pod-addresses", "10.191.0.0/16");
        return InProcessNode.start(cluster, directory, flags, new CommandLine(new UpCommand()));
    }

    private static void tryIt(EmbeddedBerth whole, LocalNode node, Path root) throws Exception {
        var cluster = whole.cluster("test");
        RealMachine.apply(cluster, Files.readString(MANIFEST));
        try {
            RealMachine.await(
                    "the container has told everything", () -> output(root).contains("done"));
            var output = output(root);
            assertThat(output).anyMatch(line -> line.matches("core: [0-9]+"));
            assertThat(output).anyMatch(line -> line.matches("disk: [456][0-9] MB on /work"));
            assertThat(output).contains("disk: data", "other: Operation not permitted");
            assertThat(output).anyMatch(line -> line.matches("device: /dev/(kvm|fuse) opens"));
            assertThat(output)
                    .anyMatch(line -> line.matches("cable: lab0 198\\.18\\.240\\.\\d+/24"));
            assertThat(node.agent().claimStates().claims()).hasSize(1);
        } finally {
            RealMachine.delete(cluster, "real-devices");
            RealMachine.await(
                    "the pod is gone",
                    () -> RealMachine.phase(cluster, "real-devices").equals("gone"));
        }
        RealMachine.await("its claim is gone", () -> RealMachine.claims(cluster) == 0);
        RealMachine.await("nothing is left", () -> RealMachine.leftovers(root).isEmpty());
    }

    /// The output of the pod's container.
    private static List<String> output(Path root) throws IOException {
        try (var all = Files.walk(root.resolve("logs"))) {
            var log = all.filter(path -> path.endsWith("0.log")).findFirst();
            return log.isEmpty()
                    ? List.of()
                    : Files.readAllLines(log.get()).stream()
                            .map(line -> line.split(" ", 4)[3])
                            .toList();
        }
    }
}
