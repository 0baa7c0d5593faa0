/// What a kubelet does for devices, on a machine without one: finds drivers, and has claims
/// prepared before a pod starts and unprepared after it has ended.
///
/// Decisions are functions of [NodeClaimStates][dev.berth.node.agent.NodeClaimStates] and return
/// the next ones; [ClaimPreparer][dev.berth.node.agent.ClaimPreparer] carries them out.
///
/// Unstable: this grows.
@NullMarked
package dev.berth.node.agent;

import org.jspecify.annotations.NullMarked;
