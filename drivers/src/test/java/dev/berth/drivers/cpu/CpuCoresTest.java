package dev.berth.drivers.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.drivers.machine.MachineRoots;
import dev.berth.drivers.testing.SysfsFixture;
import dev.berth.model.api.slice.AttributeValue.BoolValue;
import dev.berth.model.api.slice.AttributeValue.IntValue;
import dev.berth.model.api.slice.AttributeValue.StringValue;
import dev.berth.model.api.slice.Device;
import dev.berth.node.sysfs.Sysfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuCoresTest {

    @TempDir private Path directory = Path.of("");

    @Test
    void everyCoreButTheFirstIsPublished() throws Exception {
        var machine = SysfsFixture.unpacked(directory);
        var devices = new CpuDriver(machine, CpuConfig.DEFAULTS, directory).discover();
        assertThat(devices).extracting(Device::name).containsExactly("core-1", "core-2", "core-3");
        assertThat(devices.getLast().attributes())
                .containsEntry("cpus", new StringValue("3"))
                .containsEntry("threads", new IntValue(1))
                .containsEntry("isolated", new BoolValue(false))
                .containsEntry("resource.kubernetes.io/numaNode", new IntValue(1));
    }

    @Test
    void threadsOfACoreFormOneDevice() throws IOException {
        var root = machine(8, 2);
        var all = new CpuCores(new Sysfs(root)).all();
        assertThat(all).extracting(CpuCore::cpuList).containsExactly("0,4", "1,5", "2,6", "3,7");
        assertThat(all.getLast().isolated()).isTrue();
        assertThat(all.getFirst().isolated()).isFalse();
        assertThat(CpuCores.allocatable(all, new CpuConfig(Optional.of(List.of(5, 6)))))
                .extracting(CpuCore::name)
                .containsExactly("core-0", "core-3");
        assertThat(CpuCores.allocatable(all, new CpuConfig(Optional.of(List.of())))).hasSize(4);
    }

    @Test
    void theOnlyCoreIsPublishedToo() throws IOException {
        var all = new CpuCores(new Sysfs(machine(1, 1))).all();
        assertThat(CpuCores.allocatable(all, CpuConfig.DEFAULTS)).hasSize(1);
    }

    @Test
    void coreTypesOfHybridProcessorsAreRead() throws IOException {
        var root = machine(4, 1);
        write(root, "devices/cpu_core/cpus", "0-1");
        write(root, "devices/cpu_atom/cpus", "2-3");
        assertThat(new CpuCores(new Sysfs(root)).all())
                .extracting(core -> core.type().orElse(""))
                .containsExactly("performance", "performance", "efficiency", "efficiency");
    }

    @Test
    void thisMachineHasCores() {
        var all = new CpuCores(MachineRoots.here().sysfs()).all();
        assertThat(all.stream().mapToInt(core -> core.cpus().size()).sum())
                .isGreaterThanOrEqualTo(Runtime.getRuntime().availableProcessors());
    }

    /// A sysfs tree of a machine whose second half of CPUs are second threads; CPUs 3 and 7 are
    /// isolated.
    private Path machine(int cpus, int threads) throws IOException {
        var root = directory.resolve("sys");
        write(root, "devices/system/cpu/online", "0-" + (cpus - 1));
        write(root, "devices/system/cpu/isolated", cpus > 4 ? "3,7" : "");
        var cores = cpus / threads;
        for (var cpu = 0; cpu < cpus; cpu++) {
            var core = cpu % cores;
            var siblings = threads == 2 ? core + "," + (core + cores) : "" + core;
            var at = "devices/system/cpu/cpu%d/topology/".formatted(cpu);
            write(root, at + "thread_siblings_list", siblings);
            write(root, at + "core_id", "" + core);
            write(root, at + "physical_package_id", "0");
        }
        return root;
    }

    private static void write(Path root, String file, String text) throws IOException {
        var path = root.resolve(file);
        Files.createDirectories(path.resolveSibling(""));
        Files.writeString(path, text + "\n");
    }
}
