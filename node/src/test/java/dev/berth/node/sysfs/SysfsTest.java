package dev.berth.node.sysfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.slice.AttributeValue.IntList;
import dev.berth.model.api.slice.AttributeValue.IntValue;
import dev.berth.model.api.slice.AttributeValue.StringValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests on a tree that was captured from a machine with two NUMA nodes, three PCIe roots and
/// SR-IOV.
class SysfsTest {

    @TempDir private static Path temporary = Path.of("");
    private static Sysfs sysfs = new Sysfs(Path.of(""));

    @BeforeAll
    static void unpack() throws IOException, InterruptedException {
        var archive = Path.of("src/test/resources/sysfs-fixture-2numa-sriov.tar.gz");
        var tar =
                new ProcessBuilder(
                                "tar",
                                "xzf",
                                archive.toAbsolutePath().toString(),
                                "-C",
                                temporary.toString())
                        .inheritIO()
                        .start();
        assertThat(tar.waitFor()).isZero();
        sysfs = new Sysfs(temporary.resolve("sys"));
    }

    @Test
    void everyFunctionIsFound() {
        assertThat(sysfs.pciFunctions())
                .hasSize(20)
                .contains(new PciAddress("0000:00:1f.2"), new PciAddress("0000:41:00.2"));
    }

    @Test
    void aFunctionBehindABridgeBelongsToTheRootOfTheBridge() {
        assertThat(sysfs.pcieRoot(new PciAddress("0000:41:00.1"))).contains("pci0000:40");
        assertThat(sysfs.pcieRoot(new PciAddress("0000:22:00.0"))).contains("pci0000:20");
        assertThat(sysfs.pcieRoot(new PciAddress("0000:00:02.0"))).contains("pci0000:00");
        assertThat(sysfs.pcieRoot(new PciAddress("0000:99:00.0"))).isEmpty();
    }

    @Test
    void reportedValuesBecomeAttributes() {
        assertThat(new StandardAttributes(sysfs).of(new PciAddress("0000:41:00.0")))
                .isEqualTo(
                        Map.of(
                                "resource.kubernetes.io/pciBusID",
                                new StringValue("0000:41:00.0"),
                                "resource.kubernetes.io/pcieRoot",
                                new StringValue("pci0000:40"),
                                "resource.kubernetes.io/numaNode",
                                new IntValue(1)));
    }

    @Test
    void unknownValuesAreOmitted() {
        assertThat(sysfs.numaNode(new PciAddress("0000:00:02.0"))).isEmpty();
        assertThat(new StandardAttributes(sysfs).of(new PciAddress("0000:00:02.0")))
                .doesNotContainKey("resource.kubernetes.io/numaNode");
    }

    @Test
    void nearNodesAreThoseOfTheSameSocket() throws IOException {
        var root = Files.createDirectories(temporary.resolve("near"));
        for (var node = 0; node < 4; node++) {
            var path = Files.createDirectories(root.resolve("devices/system/node/node" + node));
            Files.writeString(path.resolve("cpulist"), (node * 2) + "-" + (node * 2 + 1) + "\n");
            var cpu = root.resolve("devices/system/cpu/cpu" + node * 2);
            Files.createDirectories(cpu.resolve("topology"));
            Files.writeString(cpu.resolve("topology/physical_package_id"), node / 2 + "\n");
            Files.createDirectories(cpu.resolve("node" + node));
        }
        write(root, 0, "10 12 12 32");
        write(root, 1, "12 10 32 32");
        write(root, 2, "nonsense");
        var near = new Sysfs(root);
        assertThat(near.nearNumaNodes(0)).containsExactly(0, 1);
        assertThat(near.nearNumaNodes(1)).containsExactly(1, 0);
        assertThat(near.nearNumaNodes(2)).containsExactly(2);
        assertThat(near.numaNodeOfCpu(4)).hasValue(2);
        assertThat(near.numaNodeOfCpu(9)).isEmpty();
    }

    @Test
    void aListOfNodesBeginsWithItsOwn() {
        assertThat(
                        new StandardAttributes(sysfs)
                                .withNearNodes(new PciAddress("0000:41:00.0"))
                                .get(StandardAttributes.NUMA_NODE))
                .isInstanceOfSatisfying(
                        IntList.class, list -> assertThat(list.values()).startsWith(1L));
    }

    @Test
    void listsOfCpusAreRead() {
        assertThat(CpuList.parse("0-2,8,10-11\n")).isEqualTo(List.of(0, 1, 2, 8, 10, 11));
        assertThat(CpuList.parse("")).isEmpty();
        assertThat(CpuList.parse("0-99999999")).isEmpty();
    }

    private static void write(Path root, int node, String distance) throws IOException {
        Files.writeString(
                root.resolve("devices/system/node/node" + node).resolve("distance"), distance);
    }
}
