/// Inventory of devices: ResourceSlices in columnar form and pools per node, with their order,
/// completeness and validity.
///
/// A slice is converted once into a [SliceTable], whose rows share equal values: devices of one
/// model differ in little more than a serial number. A [Pool] holds the slices of one pool; a
/// [PoolView] is the part of it that is accessible from one node, with device rows in the order in
/// which Kubernetes tries them. [Pools] indexes all pools of a cluster. Allocations are not part of
/// the inventory; see [dev.berth.core.ledger].
@NullMarked
package dev.berth.core.inventory;

import org.jspecify.annotations.NullMarked;
