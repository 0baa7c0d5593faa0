package dev.berth.drivers.machine;

import dev.berth.model.api.Device;
import dev.berth.node.driver.Driver;
import java.util.List;

/// A driver for devices that this machine has.
///
/// @param <P> what claims may say
public interface MachineDriver<P> extends Driver<P> {

    /// The devices that there are now.
    List<Device> discover() throws DeviceException;
}
