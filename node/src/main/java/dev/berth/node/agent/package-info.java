/// What a kubelet does for devices, on a machine without one: finds drivers, and has claims
/// prepared before a pod starts and unprepared after it has ended.
///
/// Decisions are functions of [HeldClaims][dev.berth.node.agent.HeldClaims] and return the next
/// ones; [ClaimCaretaker][dev.berth.node.agent.ClaimCaretaker] carries them out.
///
/// Unstable: this grows.
@NullMarked
package dev.berth.node.agent;

import org.jspecify.annotations.NullMarked;
