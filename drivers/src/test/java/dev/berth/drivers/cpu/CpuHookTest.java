package dev.berth.drivers.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.drivers.cpu.CpuParameters.Partition;
import dev.berth.drivers.machine.HostCommands;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.drivers.testing.Bundle;
import dev.berth.drivers.testing.Claims;
import dev.berth.drivers.testing.Needs;
import dev.berth.drivers.testing.SysfsFixture;
import dev.berth.model.api.slice.AttributeValue.StringValue;
import dev.berth.model.api.slice.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuHookTest {

    private static final String ALLOWED = "grep Cpus_allowed_list /proc/self/status";
    private static final CpuParameters DEFAULTS = new CpuParameters(Partition.ROOT);

    @TempDir private Path directory = Path.of("");

    @Test
    void aContainerRunsOnItsCoreOnly() throws Exception {
        Needs.containers();
        var driver =
                new CpuDriver(MachineRoots.here(), CpuConfig.DEFAULTS, directory.resolve("data"));
        var core = driver.discover().getLast();
        var claim = Claims.assignment("one", CpuDriver.NAME, DEFAULTS, core.name());
        try (var bundle = new Bundle(directory, "berth-cpu-one")) {
            var ended = bundle.with(driver.prepare(claim)).run(ALLOWED + "; env");
            assertThat(ended.errors()).isEmpty();
            assertThat(ended.output())
                    .contains("Cpus_allowed_list:\t" + cpus(core))
                    .contains(
                            "BERTH_CPU_" + core.name().replace('-', '_').toUpperCase(Locale.ROOT));
        }
        driver.unprepare(Claims.prepared("one"));
        assertThat(directory.resolve("data/pinned/containers")).isEmptyDirectory();
    }

    @Test
    void coresOfAContainerAddUp() throws Exception {
        Needs.containers();
        var all = new CpuConfig(Optional.of(List.of()));
        var driver = new CpuDriver(MachineRoots.here(), all, directory.resolve("data"));
        var cores = driver.discover();
        Assumptions.assumeTrue(cores.size() > 1, "needs two cores");
        var claim =
                Claims.assignment(
                        "two", CpuDriver.NAME, DEFAULTS, cores.get(0).name(), cores.get(1).name());
        try (var bundle = new Bundle(directory, "berth-cpu-two")) {
            var ended = bundle.with(driver.prepare(claim)).run(ALLOWED);
            assertThat(ended.output()).endsWith(cpus(cores.get(0)) + "-" + cpus(cores.get(1)));
        }
        driver.unprepare(Claims.prepared("two"));
    }

    /// The cgroup file system is simulated by plain files, to be independent of the machine.
    @Test
    void theOnlyContainerOfAClaimGetsExclusiveCores() throws Exception {
        var driver = driverOnFiles();
        process(71, "0::/kube/pod/one");
        var one = cgroup("kube/pod/one", "");
        cgroup("kube/pod", "");
        cgroup("kube", "7");
        assertThat(runHook(driver, 71).errors()).isEmpty();
        assertThat(one.resolve("cpuset.cpus")).hasContent("3");
        assertThat(one.resolve("cpuset.cpus.exclusive")).hasContent("3");
        assertThat(one.resolve("cpuset.cpus.partition")).hasContent("root");
        assertThat(cgroups().resolve("kube/cpuset.cpus.exclusive")).hasContent("7,3");
        assertThat(cgroups().resolve("kube/pod/cpuset.cpus.exclusive")).hasContent("3");

        driver.unprepare(Claims.prepared("c"));
        assertThat(cgroups().resolve("kube/cpuset.cpus.exclusive")).hasContent("7");
        assertThat(directory.resolve("data/pinned/containers")).isEmptyDirectory();
        assertThat(directory.resolve("data/pinned/exclusive")).isEmptyDirectory();
    }

    @Test
    void containersThatShareAClaimShareItsCores() throws Exception {
        var driver = driverOnFiles();
        process(71, "0::/pod/one");
        process(72, "0::/pod/two");
        var one = cgroup("pod/one", "");
        var two = cgroup("pod/two", "");
        assertThat(runHook(driver, 71).errors()).isEmpty();
        assertThat(one.resolve("cpuset.cpus.partition")).hasContent("root");
        assertThat(runHook(driver, 72).errors()).isEmpty();
        assertThat(one.resolve("cpuset.cpus.partition")).hasContent("member");
        assertThat(two.resolve("cpuset.cpus.partition")).hasContent("member");
        assertThat(two.resolve("cpuset.cpus")).hasContent("3");
    }

    @Test
    void theRootCgroupIsNotRestricted() throws Exception {
        var driver = driverOnFiles();
        process(71, "0::/");
        cgroup("", "");
        var ended = runHook(driver, 71);
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.errors()).contains("no cpuset cgroup of its own");
    }

    private CpuDriver driverOnFiles() throws Exception {
        Needs.tools("flock");
        var here = SysfsFixture.unpacked(directory);
        var machine =
                new MachineRoots(here.sysfs(), here.dev(), directory.resolve("proc"), here.tools());
        return new CpuDriver(machine, CpuConfig.DEFAULTS, directory.resolve("data"), cgroups());
    }

    private Path cgroups() {
        return directory.resolve("cgroup");
    }

    private void process(int pid, String cgroup) throws IOException {
        var path = Files.createDirectories(directory.resolve("proc/" + pid));
        var fields = "S 1 ".repeat(9) + "4711 0";
        Files.writeString(path.resolve("stat"), pid + " (a (b) c) " + fields + "\n");
        Files.writeString(path.resolve("cgroup"), "3:cpu:/other\n" + cgroup + "\n");
    }

    private Path cgroup(String name, String exclusive) throws IOException {
        var path = Files.createDirectories(cgroups().resolve(name));
        Files.writeString(path.resolve("cpuset.cpus"), "\n");
        Files.writeString(path.resolve("cpuset.cpus.exclusive"), exclusive + "\n");
        Files.writeString(path.resolve("cpuset.cpus.partition"), "member\n");
        return path;
    }

    private HostCommands.CommandResult runHook(CpuDriver driver, int pid) throws Exception {
        var claim = Claims.assignment("c", CpuDriver.NAME, DEFAULTS, "core-3");
        var hook = driver.prepare(claim).devices().getFirst().edits().hooks().getFirst();
        var state = Files.createTempFile(directory, "state", ".json");
        Files.writeString(state, "{\"id\":\"x\",\"pid\":%d,\"bundle\":\"/b\"}".formatted(pid));
        var line = new ArrayList<String>();
        line.addAll(List.of("-c", "exec \"$@\" <\"$0\"", state.toString()));
        line.addAll(hook.args());
        return new HostCommands().attempt("sh", line.toArray(String[]::new));
    }

    private static String cpus(Device core) {
        return core.attributes().get("cpus") instanceof StringValue(var cpus) ? cpus : "";
    }
}
