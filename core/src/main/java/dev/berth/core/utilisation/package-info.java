/// Utilisation of devices, and how many more requests fit. [UtilisationCalculator] turns a snapshot
/// of a cluster into [ClusterUtilisation]: per device class, node and namespace. All commands,
/// metrics and the dashboard take these figures from here.
///
/// What counts as one device:
///
/// - A device that consumes no counters is one device.
/// - All devices that consume counters of one counter set (a GPU and its partitions) are one
///   device. Its share in use is the largest share among the counters of the set. Counters that
///   differ only in a number (`memory-slice-0` to `memory-slice-7`) are added up first.
/// - The share in use of a device with multiple allocations is the largest share among its consumed
///   capacities.
///
/// A device belongs to every class whose selectors it matches. Devices with admin access are
/// counted separately and are not in use by it.
@NullMarked
package dev.berth.core.utilisation;

import org.jspecify.annotations.NullMarked;
