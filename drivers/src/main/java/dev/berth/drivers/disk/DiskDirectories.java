package dev.berth.drivers.disk;

import dev.berth.drivers.machine.TextAttributes;
import dev.berth.model.api.AttributeValue;
import dev.berth.model.api.CapacityRequestPolicy;
import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceCapacity;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.Quantity.Notation;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What is published of directories.
final class DiskDirectories {

    /// The name of the capacity.
    static final String SIZE = "size";

    private static final long MEBI = 1L << 20;

    /// The least disk, and by how much larger ones differ.
    static final long STEP = 16 * MEBI;

    private static final long USUAL_SIZE = 1024 * MEBI;

    /// Changes of a small part of the whole are not worth a new slice.
    private static final int GRAINS = 32;

    private static final int ALL = 100;

    private DiskDirectories() {}

    /// How much may be taken.
    ///
    /// @param free bytes of the directory's file system
    /// @param used bytes that our own disks take
    static long capacity(DiskDirectory storage, long free, long used) {
        if (storage.size().isPresent()) {
            return floor(storage.size().get().roundedUp(), STEP);
        }
        var share = (free + used) / ALL * storage.percent();
        return floor(share, Math.max(STEP, Long.highestOneBit(Math.max(1, share)) / GRAINS));
    }

    private static long floor(long amount, long grain) {
        return amount - amount % grain;
    }

    static Device device(DiskDirectory storage, long capacity, String filesystem) {
        var least = bytes(STEP);
        var usual = bytes(Math.max(STEP, Math.min(USUAL_SIZE, capacity)));
        var policy =
                new CapacityRequestPolicy.ValidRange(
                        Optional.of(usual), least, Optional.empty(), Optional.of(least));
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
