/// The placement pipeline: where can a pod run, and with which devices?
///
/// The [ClaimResolver] turns a pod into a [PlacementRequest]. A [PodEvaluation] runs the
/// [NodeFilter]s of [dev.berth.core.place.filter] on the nodes of a snapshot, then allocates
/// devices; the result of a node is a [NodeFit]. The [FitCache] keeps the part that depends on one
/// node. A [PlacementPolicy] and the scores of [dev.berth.core.place.score] choose among fitting
/// nodes. Scheduler, plans and explanations use the same evaluation.
@NullMarked
package dev.berth.core.place;

import org.jspecify.annotations.NullMarked;
