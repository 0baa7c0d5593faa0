package dev.berth.drivers.cpu;

import dev.berth.drivers.machine.DerivedNames;
import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.HookScript;
import dev.berth.drivers.machine.MachineDriver;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.model.api.Device;
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

/// Gives whole cores to containers, by their cpuset cgroups.
///
/// Nothing happens before a container is there: its cgroup is narrowed by a hook, once for each
/// core, and the cores of a container add up.
public final class CpuDriver implements MachineDriver<CpuParameters> {

    public static final String NAME = "cpu.berth.dev";

    private final MachineRoots machine;
    private final CpuConfig config;
    private final Path cgroups;
    private final HookScript script;
    private final PinnedCpus pinned;

    /// @param data where the hook and its notes are
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
        return offered().stream().map(CpuCores::device).toList();
    }

    private List<CpuCore> offered() {
        return CpuCores.offered(new CpuCores(machine.sysfs()).all(), config);
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
        var told =
                ContainerEdits.NONE.withEnv(
                        DerivedNames.variable("cpu", core.name()), core.cpuList());
        // Who only watches over a core must not be put on it.
        return device.isAdmin()
                ? told
                : told.withHook(
                        script.hook(
                                pinned.directory().toString(),
                                claim.uid().value(),
                                core.cpuList(),
                                device.parameters().partition().toString(),
                                cgroups.toString(),
                                machine.proc().toString()));
    }

    private CpuCore find(String name) throws DeviceException {
        return offered().stream()
                .filter(core -> core.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new DeviceException(
                                "%s is not offered any more; was the CPU taken offline or reserved?"
                                        .formatted(name)));
    }

    @Override
    public void unprepare(PreparedClaim claim) throws IOException {
        pinned.release(claim.claim().uid());
    }
}
