package dev.berth.drivers.chardev;

import dev.berth.drivers.machine.DerivedNames;
import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.MachineDriver;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.model.api.Device;
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

/// Gives character devices to containers.
///
/// There is nothing to set up and so nothing to take back: the CDI document alone lets a container
/// open the device, and is deleted by the library.
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
        return offers().stream().map(offer -> PublishedChardevs.device(offer, standard)).toList();
    }

    private List<PublishedChardev> offers() {
        return PublishedChardevs.of(new CharacterDevices(machine).all(), config.rules());
    }

    @Override
    public Parameters<Parameters.None> parameters() {
        return Parameters.NONE;
    }

    @Override
    public PrepareResult prepare(ClaimAssignment<Parameters.None> claim) throws DeviceException {
        var offers = offers();
        var prepared = new ArrayList<PreparedDevice>();
        for (var device : claim.devices()) {
            var offer =
                    offers.stream()
                            .filter(one -> one.name().equals(device.name()))
                            .findFirst()
                            .orElseThrow(() ->
                                    new DeviceException(
                                            "%s is gone: no file in %s fits; was it unplugged?"
                                                    .formatted(device.name(), machine.dev())));
            prepared.add(PreparedDevice.of(device, edits(offer)));
        }
        return new PrepareResult(prepared);
    }

    private ContainerEdits edits(PublishedChardev offer) {
        var edits =
                ContainerEdits.NONE.withEnv(
                        DerivedNames.variable("chardev", offer.name()),
                        "/dev/" + offer.first().path());
        for (var file : offer.files()) {
            edits =
                    edits.withDeviceNode(
                            DeviceNode.of("/dev/" + file.path())
                                    .withHostPath(machine.dev().resolve(file.path()).toString())
                                    .withPermissions(offer.rule().permissions()));
        }
        return edits;
    }

    @Override
    public void unprepare(PreparedClaim claim) {}
}
