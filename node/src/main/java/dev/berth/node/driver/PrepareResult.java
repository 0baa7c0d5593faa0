package dev.berth.node.driver;

import dev.berth.node.cdi.ContainerEdits;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Result of [Driver#prepare]: exactly the devices of the claim assignment.
public record PrepareResult(List<PreparedDevice> devices) {

    public PrepareResult {
        devices = List.copyOf(devices);
    }

    /// A result with the container edits of each device.
    public static <P> PrepareResult of(
            ClaimAssignment<P> claim, Function<AssignedDevice<P>, ContainerEdits> edits) {
        return new PrepareResult(
                claim.devices().stream()
                        .map(device -> PreparedDevice.of(device, edits.apply(device)))
                        .toList());
    }

    /// A device that is ready for use.
    ///
    /// @param edits container edits; written into the CDI spec of the claim
    /// @param cdiIds CDI devices of other specs that containers need as well
    /// @param report status to publish in the claim
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
