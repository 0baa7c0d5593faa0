package dev.berth.drivers.disk;

import dev.berth.drivers.machine.TextAttributes;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.CapacityRequestPolicy;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCapacity;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.Quantity.Notation;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Computes the published devices of directories.
final class DiskDirectories {

    /// Name of the capacity.
    static final String SIZE = "size";

    private static final long MEBI = 1L << 20;

    /// Minimum size and size step of disks.
    static final long STEP = 16 * MEBI;

    private static final long DEFAULT_SIZE = 1024 * MEBI;

    /// The published capacity is rounded to 1/32, so that small changes do not update the slice.
    private static final int ROUNDING_PARTS = 32;

    private static final int ALL = 100;

    private DiskDirectories() {}

    /// The capacity of a directory.
    ///
    /// @param free free bytes of the file system
    /// @param used bytes used by existing disks
    static long capacity(DiskDirectory storage, long free, long used) {
        if (storage.size().isPresent()) {
            return floor(storage.size().get().roundedUp(), STEP);
        }
        var share = (free + used) / ALL * storage.percent();
        return floor(
                share, Math.max(STEP, Long.highestOneBit(Math.max(1, share)) / ROUNDING_PARTS));
    }

    private static long floor(long amount, long unit) {
        return amount - amount % unit;
    }

    static Device device(DiskDirectory storage, long capacity, String filesystem) {
        var least = bytes(STEP);
        var defaultSize = bytes(Math.max(STEP, Math.min(DEFAULT_SIZE, capacity)));
        var policy =
                new CapacityRequestPolicy.ValidRange(
                        Optional.of(defaultSize), least, Optional.empty(), Optional.of(least));
        var attributes = new TreeMap<String, AttributeValue>();
        TextAttributes.put(attributes, "path", storage.directory().toString());
        TextAttributes.put(attributes, "backing", filesystem);
        return Device.named(storage.name())
                .withAttributes(attributes)
                .withMultipleAllocations()
                .withCapacity(
                        Map.of(SIZE, new DeviceCapacity(bytes(capacity), Optional.of(policy))));
    }

    private static Quantity bytes(long amount) {
        return Quantity.of(BigDecimal.valueOf(amount), Notation.BINARY);
    }
}
