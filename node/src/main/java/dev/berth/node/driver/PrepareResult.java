package dev.berth.node.driver;

import dev.berth.node.cdi.ContainerEdits;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// What a driver has prepared: exactly the devices that it was given.
public record PrepareResult(List<PreparedDevice> devices) {

    public PrepareResult {
        devices = List.copyOf(devices);
    }

    /// Each device by what containers need to use it.
    public static <P> PrepareResult of(
            ClaimAssignment<P> claim, Function<AssignedDevice<P>, ContainerEdits> edits) {
        return new PrepareResult(
                claim.devices().stream()
                        .map(device -> PreparedDevice.of(device, edits.apply(device)))
                        .toList());
    }

    /// A device that is ready.
    ///
    /// @param edits what containers need; they go into a CDI document of the claim
    /// @param cdiIds devices of other CDI documents that containers need as well
    /// @param report what the claim's status is to tell
    public record PreparedDevice(
            AssignedDevice<?> device,
            ContainerEdits edits,
            List<String> cdiIds,
            Optional<DeviceReport> report) {

        public PreparedDevice {
            cdiIds = List.copyOf(cdiIds);
        }

        public static PreparedDevice of(AssignedDevice<?> device, ContainerEdits edits) {
            return new PreparedDevice(device, edits, List.of(), Optional.empty());
        }

        public PreparedDevice withCdiIds(List<String> newCdiIds) {
            return new PreparedDevice(device, edits, newCdiIds, report);
        }

        public PreparedDevice withReport(DeviceReport newReport) {
            return new PreparedDevice(device, edits, cdiIds, Optional.of(newReport));
        }
    }
}
