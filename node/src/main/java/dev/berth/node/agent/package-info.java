/// Node agent: the kubelet's work on a machine without one.
///
/// [NodeAgent][dev.berth.node.agent.NodeAgent] is the entry point. It registers the Node, discovers
/// DRA drivers by their sockets, and runs a pod worker for each pod.
/// [ClaimPreparer][dev.berth.node.agent.ClaimPreparer] prepares claims before a pod starts and
/// unprepares them after it has terminated; its decisions are functions of
/// [NodeClaimStates][dev.berth.node.agent.NodeClaimStates] that return the next states. Decisions
/// about pods are in `node.pod`.
///
/// Unstable.
@NullMarked
package dev.berth.node.agent;

import org.jspecify.annotations.NullMarked;
