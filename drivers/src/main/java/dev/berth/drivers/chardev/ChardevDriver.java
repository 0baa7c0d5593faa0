package dev.berth.drivers.chardev;

import dev.berth.drivers.machine.DerivedNames;
import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.MachineDriver;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.model.api.slice.Device;
import dev.berth.node.cdi.ContainerEdits;
import dev.berth.node.cdi.ContainerEdits.DeviceNode;
import dev.berth.node.driver.ClaimAssignment;
import dev.berth.node.driver.Parameters;
import dev.berth.node.driver.PrepareResult;
import dev.berth.node.driver.PrepareResult.PreparedDevice;
import dev.berth.node.driver.PreparedClaim;
import dev.berth.node.sysfs.StandardAttributes;
import java.util.ArrayList;
import java.util.List;

/// Publishes character devices and adds them to containers.
///
/// Needs no setup or cleanup: the CDI spec alone gives a container access to the device, and the
/// driver library deletes it.
public final class ChardevDriver implements MachineDriver<Parameters.None> {

    public static final String NAME = "chardev.berth.dev";

    private final MachineRoots machine;
    private final ChardevConfig config;

    public ChardevDriver(MachineRoots machine, ChardevConfig config) {
        this.machine = machine;
        this.config = config;
    }

    @Override
    public List<Device> discover() {
        var standard = new StandardAttributes(machine.sysfs());
        return published().stream()
                .map(chardev -> PublishedChardevs.device(chardev, standard))
                .toList();
    }

    private List<PublishedChardev> published() {
        return PublishedChardevs.of(new CharacterDevices(machine).all(), config.rules());
    }

    @Override
    public Parameters<Parameters.None> parameters() {
        return Parameters.NONE;
    }

    @Override
    public PrepareResult prepare(ClaimAssignment<Parameters.None> claim) throws DeviceException {
        var published = published();
        var prepared = new ArrayList<PreparedDevice>();
        for (var device : claim.devices()) {
            var chardev =
                    published.stream()
                            .filter(one -> one.name().equals(device.name()))
                            .findFirst()
                            .orElseThrow(() ->
                                    new DeviceException(
                                            ("device %s not found: no file in %s matches; was it"
                                                            + " unplugged?")
                                                    .formatted(device.name(), machine.dev())));
            prepared.add(PreparedDevice.of(device, edits(chardev)));
        }
        return new PrepareResult(prepared);
    }

    private ContainerEdits edits(PublishedChardev chardev) {
        var edits =
                ContainerEdits.NONE.withEnv(
                        DerivedNames.variable("chardev", chardev.name()),
                        "/dev/" + chardev.first().path());
        for (var file : chardev.files()) {
            edits =
                    edits.withDeviceNode(
                            DeviceNode.of("/dev/" + file.path())
                                    .withHostPath(machine.dev().resolve(file.path()).toString())
                                    .withPermissions(chardev.rule().permissions()));
        }
        return edits;
    }

    @Override
    public void unprepare(PreparedClaim claim) {}
}
