/// Evaluates where a pod can run: node filters, scores and device allocation per node.
///
/// [ClaimResolver] turns a pod into a [PlacementRequest]. [PodPlacer] starts a [PodEvaluation] of
/// the request on a [ClusterInventory] and a [ClusterUsage]; its result per node is a [NodeFit],
/// with a [Rejection] if the node does not fit. [NodeScoring] chooses among the nodes that fit.
@NullMarked
package dev.berth.core.place;

import org.jspecify.annotations.NullMarked;
