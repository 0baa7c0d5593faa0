package dev.berth.model.api.slice;

import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Usage of one pool. Numbers are absent when the pool could not be evaluated.
public record PoolStatus(
        PoolId id,
        Optional<String> nodeName,
        OptionalLong totalDevices,
        OptionalLong allocatedDevices,
        OptionalLong availableDevices,
        OptionalLong unavailableDevices,
        OptionalLong resourceSliceCount,
        long generation,
        Optional<String> validationError,
        List<PartitionSummary> partitionSummary,
        Optional<ShareableSummary> shareableSummary) {

    public PoolStatus {
        partitionSummary = List.copyOf(partitionSummary);
    }

    /// Devices of one partition type; the type is a value of an attribute.
    public record PartitionSummary(
            String type, OptionalLong total, OptionalLong allocatable, String attribute) {}

    /// Devices that several claims can share.
    public record ShareableSummary(
            OptionalLong fullyAvailableDevices,
            OptionalLong partiallyAvailableDevices,
            List<ShareableCapacity> capacity) {
        public ShareableSummary {
            capacity = List.copyOf(capacity);
        }
    }

    /// One capacity summed over the shareable devices of a pool.
    public record ShareableCapacity(
            String name,
            Optional<Quantity> total,
            Optional<Quantity> consumed,
            Optional<Quantity> available) {}
}
