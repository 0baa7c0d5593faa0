package dev.berth.core.utilisation;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/// The devices of one pool that match one class.
///
/// @param classNumber position of the class among all classes
/// @param locations devices by the nodes that can access them
record ClassPart(
        int classNumber,
        long free,
        long partlyUsed,
        long unavailable,
        long adminAccess,
        Map<String, Double> namespaces,
        List<Location> locations) {

    /// The devices that a set of nodes can access.
    ///
    /// @param nodes numbers of the nodes
    /// @param all all devices of the class; empty when no node is schedulable
    /// @param profiles partitions by profile
    /// @param requested devices for each request of pending pods for the class, by its number
    /// @param hasOnlyPartitions whether all devices have a partition profile
    record Location(
            BitSet nodes,
            Utilisation total,
            SlotSummary all,
            SortedMap<String, SlotSummary> profiles,
            SortedMap<Integer, SlotSummary> requested,
            boolean hasOnlyPartitions) {}
}
