package dev.berth.drivers.machine;

import dev.berth.model.api.slice.Device;
import dev.berth.node.driver.Driver;
import java.util.List;

/// A driver for local devices of the machine.
///
/// @param <P> type of the claim parameters
public interface MachineDriver<P> extends Driver<P> {

    /// Discovers the current devices.
    List<Device> discover() throws DeviceException;
}
