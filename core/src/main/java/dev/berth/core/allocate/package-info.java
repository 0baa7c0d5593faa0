/// Allocates devices to resource claims on one node. [Allocator] is the entry point: it prepares
/// the requests of the claims, searches for devices in the order of the Kubernetes scheduler, and
/// returns the allocation or the proof that there is none.
///
/// Other packages use this package, `rule` and `selector` only. `request` prepares the requests and
/// serves those for one device; `search` serves all others by a depth-first search with pruning on
/// the state of `state`; `bound` proves dead ends; `selector` evaluates CEL selectors on devices.
@NullMarked
package dev.berth.core.allocate;

import org.jspecify.annotations.NullMarked;
