/// The cluster at one moment, and what its nodes mean for the pods that wait.
///
/// A [ClusterSnapshot] takes in one change after the other, each at the cost of what it is about. A
/// [FitCache] remembers what it said of each node, and asks again only where two snapshots differ.
@NullMarked
package dev.berth.core.snapshot;

import org.jspecify.annotations.NullMarked;
