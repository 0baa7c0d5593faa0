/// What is to be done about a pod on its node, and what is to be said of it: functions of values,
/// so that every turn of a pod's life can be tried without running anything.
///
/// [PodDecision][dev.berth.node.pod.PodDecision] takes the pod, what is seen of it and what is
/// remembered, and returns actions, a status and what to remember. Whoever carries them out is in
/// `node.agent`.
///
/// Unstable: this grows.
@NullMarked
package dev.berth.node.pod;

import org.jspecify.annotations.NullMarked;
