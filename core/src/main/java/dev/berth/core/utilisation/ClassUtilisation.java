package dev.berth.core.utilisation;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The devices of one class: how many there are, how many are in use by which nodes and namespaces,
/// and what still fits.
///
/// `total.devices()` is the sum of devices that are completely in use, `partlyUsed`, `free` and
/// `unavailable`.
///
/// @param total all devices that match the selectors of the class
/// @param free devices without a holder that can be allocated
/// @param partlyUsed devices with a holder that are not completely in use
/// @param unavailable devices without a holder that cannot be allocated: because of a taint, or
///   because no node that can access them is schedulable
/// @param available how many devices of the class can be allocated at the same time now, partitions
///   and shared devices included; [Fit#UNLIMITED] for devices with unlimited shares
/// @param adminAccess allocations with admin access
/// @param nodes nodes with devices that only they can access, by name
/// @param namespaces devices in use by the namespace of the claim; the values add up to
///   `total.inUse()`
/// @param fits what still fits, by size
public record ClassUtilisation(
        String deviceClass,
        Utilisation total,
        long free,
        long partlyUsed,
        long unavailable,
        long available,
        long adminAccess,
        SortedMap<String, NodeUtilisation> nodes,
        SortedMap<String, Double> namespaces,
        List<Fit> fits) {

    public ClassUtilisation {
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
        namespaces = Collections.unmodifiableSortedMap(new TreeMap<>(namespaces));
        fits = List.copyOf(fits);
    }

    /// A class without devices.
    public static ClassUtilisation none(String deviceClass) {
        return new ClassUtilisation(
                deviceClass,
                Utilisation.NONE,
                0,
                0,
                0,
                0,
                0,
                new TreeMap<>(),
                new TreeMap<>(),
                List.of());
    }

    /// The number of requests of a size that fit; empty when the class has no such size.
    public Optional<Fit> fit(FitSize size) {
        return fits.stream().filter(fit -> fit.size().equals(size)).findFirst();
    }

    /// The largest number of devices that can be allocated at the same time on one node. Devices
    /// that several nodes can access do not count.
    public long mostOnOneNode() {
        return nodes.values().stream().mapToLong(NodeUtilisation::available).max().orElse(0);
    }
}
