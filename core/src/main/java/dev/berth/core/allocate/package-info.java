/// Allocates devices to resource claims on one node. [Allocator] is the entry point: it prepares
/// the requests of the claims, searches for devices in the order of the Kubernetes scheduler, and
/// returns the allocation or the proof that there is none.
///
/// A request for one device is served by [SingleDeviceSearch], all others by [DeviceSearch], a
/// depth-first search with pruning: [FeasibilityBounds] prove dead ends, [DeviceSymmetry] skips
/// interchangeable devices, [FailedStateCache] recognises failed states. [SearchCache] reuses
/// results on nodes with the same devices.
@NullMarked
package dev.berth.core.allocate;

import org.jspecify.annotations.NullMarked;
