/// Pod sync decisions: which actions a pod needs and what its status is, as pure functions, so that
/// a pod's lifecycle is tested without running anything.
///
/// [PodDecision][dev.berth.node.pod.PodDecision] takes the pod, its observed state and its history,
/// and returns actions, status and the next history. The pod worker in `node.agent` executes them.
///
/// Unstable.
@NullMarked
package dev.berth.node.pod;

import org.jspecify.annotations.NullMarked;
