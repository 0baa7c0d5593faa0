package dev.berth.core.utilisation;

import java.util.List;

/// A device with partitions (a GPU): a counter set and the devices that consume its counters.
///
/// Counters of the set whose names differ only in a number and whose value is 1, such as
/// `memory-slice-0` to `memory-slice-7`, are cells: a partition covers the cells that it consumes.
///
/// @param counterSet name of the counter set
/// @param set number of the counter set in its pool
/// @param cellName common part of the names of the cells; empty without cells
/// @param cells counters that are cells, by the numbers of the counter table, in their order
/// @param whole row of the device that consumes all counters of the set, or -1
/// @param parts the other devices
public record PartitionedDevice(
        String counterSet,
        int set,
        String cellName,
        List<Integer> cells,
        int whole,
        List<Part> parts) {

    public PartitionedDevice {
        cells = List.copyOf(cells);
        parts = List.copyOf(parts);
    }

    /// A partition.
    ///
    /// @param row row in the pool view
    /// @param profile partition profile; empty without one
    /// @param cells positions of the consumed cells
    /// @param share the largest share among the consumed counters, between 0 and 1
    public record Part(int row, String profile, List<Integer> cells, double share) {
        public Part {
            cells = List.copyOf(cells);
        }
    }
}
