package dev.berth.drivers.cpu;

import dev.berth.drivers.machine.DerivedNames;
import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.HookScript;
import dev.berth.drivers.machine.MachineDriver;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.model.api.slice.Device;
import dev.berth.node.cdi.ContainerEdits;
import dev.berth.node.driver.AssignedDevice;
import dev.berth.node.driver.ClaimAssignment;
import dev.berth.node.driver.ClaimRef;
import dev.berth.node.driver.Parameters;
import dev.berth.node.driver.PrepareResult;
import dev.berth.node.driver.PrepareResult.PreparedDevice;
import dev.berth.node.driver.PreparedClaim;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Allocates whole cores to containers through their cpuset cgroups.
///
/// Preparation changes nothing. When a container is created, an OCI hook restricts its cgroup, once
/// for each core; the cores of a container add up.
public final class CpuDriver implements MachineDriver<CpuParameters> {

    public static final String NAME = "cpu.berth.dev";

    private final MachineRoots machine;
    private final CpuConfig config;
    private final Path cgroups;
    private final HookScript script;
    private final PinnedCpus pinned;

    /// @param data directory of the hook and its records
    public CpuDriver(MachineRoots machine, CpuConfig config, Path data) {
        this(machine, config, data, Path.of("/sys/fs/cgroup"));
    }

    CpuDriver(MachineRoots machine, CpuConfig config, Path data, Path cgroups) {
        this.machine = machine;
        this.config = config;
        this.cgroups = cgroups;
        this.script = new HookScript(CpuDriver.class, "cpu-hook.sh", data);
        this.pinned = new PinnedCpus(data.resolve("pinned"), machine.proc(), cgroups);
    }

    @Override
    public List<Device> discover() {
        return allocatable().stream().map(CpuCores::device).toList();
    }

    private List<CpuCore> allocatable() {
        return CpuCores.allocatable(new CpuCores(machine.sysfs()).all(), config);
    }

    @Override
    public Parameters<CpuParameters> parameters() {
        return CpuParameters.PARAMETERS;
    }

    @Override
    public PrepareResult prepare(ClaimAssignment<CpuParameters> claim)
            throws DeviceException, IOException {
        var prepared = new ArrayList<PreparedDevice>();
        for (var device : claim.devices()) {
            prepared.add(PreparedDevice.of(device, edits(claim.claim(), device)));
        }
        return new PrepareResult(prepared);
    }

    private ContainerEdits edits(ClaimRef claim, AssignedDevice<CpuParameters> device)
            throws DeviceException, IOException {
        var core = find(device.name());
        var edits =
                ContainerEdits.NONE.withEnv(
                        DerivedNames.variable("cpu", core.name()), core.cpuList());
        // Containers with admin access must not be pinned to the core.
        return device.isAdmin()
                ? edits
                : edits.withHook(
                        script.hook(
                                pinned.directory().toString(),
                                claim.uid().value(),
                                core.cpuList(),
                                device.parameters().partition().toString(),
                                cgroups.toString(),
                                machine.proc().toString()));
    }

    private CpuCore find(String name) throws DeviceException {
        return allocatable().stream()
                .filter(core -> core.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new DeviceException(
                                "%s is no longer available; was the CPU taken offline or reserved?"
                                        .formatted(name)));
    }

    @Override
    public void unprepare(PreparedClaim claim) throws IOException {
        pinned.release(claim.claim().uid());
    }
}
