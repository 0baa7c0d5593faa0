package dev.berth.drivers.cpu;

import dev.berth.drivers.machine.DeviceFailure;
import dev.berth.drivers.machine.HookScript;
import dev.berth.drivers.machine.Machine;
import dev.berth.drivers.machine.MachineDriver;
import dev.berth.drivers.machine.Names;
import dev.berth.model.api.Device;
import dev.berth.node.cdi.ContainerEdits;
import dev.berth.node.driver.AssignedDevice;
import dev.berth.node.driver.Assignment;
import dev.berth.node.driver.ClaimRef;
import dev.berth.node.driver.Parameters;
import dev.berth.node.driver.Preparation;
import dev.berth.node.driver.Preparation.PreparedDevice;
import dev.berth.node.driver.PreparedClaim;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Gives whole cores to containers, by their cpuset cgroups.
///
/// Nothing happens before a container is there: its cgroup is narrowed by a hook, once for each
/// core, and the cores of a container add up.
public final class CpuDriver implements MachineDriver<CpuWish> {

    public static final String NAME = "cpu.berth.dev";

    private final Machine machine;
    private final CpuConfig config;
    private final Path cgroups;
    private final HookScript script;
    private final Pinned pinned;

    /// @param data where the hook and its notes are
    public CpuDriver(Machine machine, CpuConfig config, Path data) {
        this(machine, config, data, Path.of("/sys/fs/cgroup"));
    }

    CpuDriver(Machine machine, CpuConfig config, Path data, Path cgroups) {
        this.machine = machine;
        this.config = config;
        this.cgroups = cgroups;
        this.script = new HookScript(CpuDriver.class, "cpu-hook.sh", data);
        this.pinned = new Pinned(data.resolve("pinned"), machine.proc(), cgroups);
    }

    @Override
    public List<Device> discover() {
        return offered().stream().map(Cores::device).toList();
    }

    private List<Core> offered() {
        return Cores.offered(new Cores(machine.sysfs()).all(), config);
    }

    @Override
    public Parameters<CpuWish> parameters() {
        return CpuWish.PARAMETERS;
    }

    @Override
    public Preparation prepare(Assignment<CpuWish> claim) throws DeviceFailure, IOException {
        var prepared = new ArrayList<PreparedDevice>();
        for (var device : claim.devices()) {
            prepared.add(PreparedDevice.of(device, edits(claim.claim(), device)));
        }
        return new Preparation(prepared);
    }

    private ContainerEdits edits(ClaimRef claim, AssignedDevice<CpuWish> device)
            throws DeviceFailure, IOException {
        var core = find(device.name());
        var told = ContainerEdits.NONE.withEnv(Names.variable("cpu", core.name()), core.cpuList());
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

    private Core find(String name) throws DeviceFailure {
        return offered().stream()
                .filter(core -> core.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new DeviceFailure(
                                "%s is not offered any more; was the CPU taken offline or reserved?"
                                        .formatted(name)));
    }

    @Override
    public void unprepare(PreparedClaim claim) throws IOException {
        pinned.release(claim.claim().uid());
    }
}
