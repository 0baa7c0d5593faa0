/// Immutable snapshots of the cluster and cached evaluations of pods on their nodes.
///
/// A [ClusterSnapshot] applies one change after the other; a change costs as much as the objects
/// concerned. A [FitCache] keeps the node-scoped results of evaluations as [NodeFits], and
/// evaluates only the nodes that differ between two snapshots.
@NullMarked
package dev.berth.core.snapshot;

import org.jspecify.annotations.NullMarked;
