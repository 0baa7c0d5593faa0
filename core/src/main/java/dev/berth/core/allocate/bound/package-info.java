/// Proofs that a state of the device search has no solution. [FeasibilityBounds] combines them;
/// [PackingBound] covers counters and capacities, [BipartiteMatching] requests and devices.
@NullMarked
package dev.berth.core.allocate.bound;

import org.jspecify.annotations.NullMarked;
