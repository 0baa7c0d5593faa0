/// The devices there are: slices as columns, pools as seen from a node, their order, completeness
/// and validity.
///
/// A slice is turned once into a [SliceTable], whose rows share everything that is equal: devices
/// of one model differ in little more than a serial number. A [Pool] is the slices of one driver's
/// pool; a [PoolView] is what one node sees of it, with device rows numbered in the order in which
/// Kubernetes would try them. Nothing here knows who holds what.
@NullMarked
package dev.berth.core.inventory;

import org.jspecify.annotations.NullMarked;
