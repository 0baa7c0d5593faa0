package dev.berth.drivers.pci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.drivers.machine.MountInfo;
import dev.berth.drivers.testing.Claims;
import dev.berth.drivers.testing.SysfsFixture;
import dev.berth.model.api.slice.AttributeValue.BoolValue;
import dev.berth.model.api.slice.AttributeValue.IntValue;
import dev.berth.model.api.slice.AttributeValue.StringValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.cdi.ContainerEdits.DeviceNode;
import dev.berth.node.driver.ClaimAssignment;
import dev.berth.node.driver.Parameters;
import dev.berth.node.sysfs.PciAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Uses a sysfs tree captured from a machine and a simulated kernel.
class PciDriverTest {

    private static final String DISK =
            """
            28 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
            29 28 0:24 / /proc rw - proc proc rw
            """;

    @TempDir private Path directory = Path.of("");
    private MachineRoots machine;
    private Kernel kernel;

    @BeforeEach
    void start() throws Exception {
        var here = SysfsFixture.unpacked(directory);
        machine =
                new MachineRoots(here.sysfs(), here.dev(), directory.resolve("proc"), here.tools());
        Files.createDirectories(directory.resolve("proc/self"));
        Files.writeString(directory.resolve("proc/self/mountinfo"), DISK);
        kernel = new Kernel(machine.sysfs().root(), "vfio-pci", "nvme", "e1000e");
        Files.writeString(
                machine.sysfs().root().resolve("bus/pci/devices/0000:22:00.0/driver_override"),
                "(null)\n");
    }

    private PciDriver driver(
            String vendor, String classCode, PciFunctionMode use, String... needed) {
        var rule =
                new PciRule(
                        Optional.of(vendor).filter(one -> !one.isEmpty()),
                        Optional.empty(),
                        Optional.of(classCode),
                        Optional.empty(),
                        Optional.empty(),
                        use);
        return driver(new PciConfig(List.of(rule)), needed);
    }

    private PciDriver driver(PciConfig config, String... needed) {
        return new PciDriver(
                machine, config, directory.resolve("data"), kernel, () -> List.of(needed));
    }

    private static ClaimAssignment<Parameters.None> claim(String... devices) {
        return Claims.assignment("c", PciDriver.NAME, new Parameters.None(), devices);
    }

    private Optional<String> driverOf(String address) {
        return new PciDriverBinding(machine.sysfs(), kernel).driver(new PciAddress(address));
    }

    @Test
    void functionsBoundToVfioArePublishedByDefault() throws Exception {
        var devices = driver(PciConfig.DEFAULTS).discover();
        assertThat(devices)
                .extracting(Device::name)
                .containsExactly(
                        "pci-0000-00-05-0",
                        "pci-0000-00-06-0",
                        "pci-0000-41-00-1",
                        "pci-0000-41-00-2");
        assertThat(devices.getLast().attributes())
                .containsEntry("vendor", new StringValue("1b36"))
                .containsEntry("class", new StringValue("010802"))
                .containsEntry("iommuGroup", new StringValue("17"))
                .containsEntry("isSriovVf", new BoolValue(true))
                .containsEntry("sriovPf", new StringValue("0000:41:00.0"))
                .containsEntry("resource.kubernetes.io/pcieRoot", new StringValue("pci0000:40"))
                .containsEntry("resource.kubernetes.io/numaNode", new IntValue(1));
    }

    @Test
    void theControllerOfTheRootDiskIsNotPublished() throws DeviceException {
        assertThat(driver("", "01", PciFunctionMode.VFIO).discover())
                .extracting(Device::name)
                .doesNotContain("pci-0000-00-02-0")
                .contains("pci-0000-21-00-0");
        assertThatThrownBy(() ->
                        driver("", "01", PciFunctionMode.VFIO).prepare(claim("pci-0000-00-02-0")))
                .hasMessageContaining("pci-0000-00-02-0 cannot be prepared");
        assertThat(kernel.writes()).isEmpty();
    }

    @Test
    void theCardOfTheDefaultRouteIsNotPublished() throws DeviceException {
        assertThat(driver("8086", "0200", PciFunctionMode.VFIO, "eth0").discover())
                .extracting(Device::name)
                .containsExactly("pci-0000-22-00-0");
    }

    @Test
    void controllersOfStackedBlockDevicesAreFound() throws IOException {
        var block = machine.sysfs().root().resolve("class/block");
        var crypt = Files.createDirectories(block.resolve("dm-0"));
        Files.writeString(crypt.resolve("uevent"), "MAJOR=253\nMINOR=0\nDEVNAME=dm-0\n");
        Files.createDirectories(crypt.resolve("slaves/nvme1n1"));
        var blocks = new BlockDevices(machine.sysfs());
        assertThat(blocks.needed(mounts("253:0", "/dev/mapper/root"), List.of()))
                .containsExactly(new PciAddress("0000:21:00.0"));
        // NVMe multipath with one remaining controller.
        assertThat(blocks.needed(mounts("259:1", "/dev/nvme0n1"), List.of()))
                .containsExactly(new PciAddress("0000:41:00.0"));
        assertThat(blocks.needed(List.of(), List.of("Filename", "/dev/vda")))
                .containsExactly(new PciAddress("0000:00:02.0"));
        assertThat(blocks.needed(mounts("0:24", "tmpfs"), List.of())).isEmpty();
    }

    private static List<MountInfo.Mount> mounts(String device, String source) {
        return List.of(new MountInfo.Mount(device, "/", "ext4", source));
    }

    @Test
    void aFunctionIsBoundToVfioAndRestored() throws Exception {
        var driver = driver("8086", "0200", PciFunctionMode.VFIO, "eth0");
        var published = driver.discover();
        var prepared = driver.prepare(claim("pci-0000-22-00-0"));
        assertThat(prepared.devices().getFirst().edits().deviceNodes())
                .extracting(DeviceNode::path)
                .containsExactly("/dev/vfio/vfio", "/dev/vfio/15");
        assertThat(driverOf("0000:22:00.0")).contains("vfio-pci");
        assertThat(driver.discover()).isEqualTo(published);
        assertThat(driver.prepare(claim("pci-0000-22-00-0"))).isEqualTo(prepared);
        driver.unprepare(Claims.prepared("c"));
        assertThat(driverOf("0000:22:00.0")).contains("e1000e");
        assertThat(kernel.writes())
                .containsSubsequence(
                        "devices/0000:22:00.0/driver_override vfio-pci",
                        "devices/0000:22:00.0/driver/unbind 0000:22:00.0",
                        "drivers_probe 0000:22:00.0",
                        "devices/0000:22:00.0/driver_override e1000e",
                        "devices/0000:22:00.0/driver/unbind 0000:22:00.0",
                        "drivers_probe 0000:22:00.0",
                        "devices/0000:22:00.0/driver_override ");
        assertThat(directory.resolve("data/notes")).isEmptyDirectory();
    }

    @Test
    void prepareInterruptedAtAnyStepIsUndone() throws Exception {
        var driver = driver("8086", "0200", PciFunctionMode.VFIO, "eth0");
        for (var before = 0; before < 3; before++) {
            for (var after = 0; after < 4; after++) {
                kernel.crashAfter(before);
                assertThatThrownBy(() -> driver.prepare(claim("pci-0000-22-00-0")))
                        .isInstanceOf(Kernel.SimulatedCrash.class);
                kernel.crashAfter(after);
                try {
                    driver.unprepare(Claims.prepared("c"));
                } catch (Kernel.SimulatedCrash _) {
                    kernel.crashAfter(Integer.MAX_VALUE);
                    driver.unprepare(Claims.prepared("c"));
                }
                assertThat(driverOf("0000:22:00.0")).contains("e1000e");
            }
        }
    }

    @Test
    void aFunctionWhoseIommuGroupIsInUseIsRejected() throws Exception {
        var other = machine.sysfs().root().resolve("bus/pci/devices/0000:42:00.0/iommu_group");
        Files.delete(other);
        Files.createSymbolicLink(other, Path.of("../../../../kernel/iommu_groups/15"));
        assertThatThrownBy(() ->
                        driver("8086", "0200", PciFunctionMode.VFIO, "eth0")
                                .prepare(claim("pci-0000-22-00-0")))
                .hasMessage(
                        "PCI function 0000:22:00.0 shares IOMMU group 15 with 0000:42:00.0"
                                + " (e1000e), which the machine uses");
    }

    @Test
    void aFunctionIsProvidedThroughItsDeviceFiles() throws Exception {
        var driver = driver("", "0108", PciFunctionMode.NODES);
        var prepared = driver.prepare(claim("pci-0000-21-00-0"));
        assertThat(prepared.devices().getFirst().edits().deviceNodes())
                .extracting(DeviceNode::path)
                .contains("/dev/nvme1", "/dev/nvme1n1");
        assertThat(kernel.writes()).isEmpty();
        // Virtual functions without a driver have no device files.
        assertThat(driver.discover()).extracting(Device::name).containsExactly("pci-0000-21-00-0");
    }

    @Test
    void functionsThatThisMachineNeedsAreNotPublished() throws Exception {
        var rule =
                new PciRule(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(""),
                        Optional.empty(),
                        Optional.empty(),
                        PciFunctionMode.NODES);
        var everything = new PciConfig(List.of(rule));
        var all = PciFunction.all(MachineRoots.here().sysfs());
        var offered =
                new PciDriver(MachineRoots.here(), everything, directory.resolve("data"))
                        .discover();
        assertThat(offered.size()).isLessThanOrEqualTo(all.size());
        var root = new BlockDevices(MachineRoots.here().sysfs());
        var needed = root.needed(MountInfo.read(Path.of("/proc")), List.of());
        for (var address : needed) {
            assertThat(offered)
                    .extracting(Device::name)
                    .doesNotContain("pci-" + address.text().replaceAll("[:.]", "-"));
        }
    }

    @Test
    void rulesThatMatchAllFunctionsAreRejected() {
        var problems =
                PciConfig.parameters()
                        .read(JsonObject.of("rules", Json.array(List.of(JsonObject.EMPTY))));
        assertThat(problems.toString()).contains("it must not match all functions");
    }
}
