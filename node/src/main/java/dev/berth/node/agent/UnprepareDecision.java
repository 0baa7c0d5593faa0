package dev.berth.node.agent;

import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.slice.SkipNodeOperation;
import dev.berth.node.agent.NodeClaimState.Phase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Decides which claims to unprepare when a pod has terminated.
///
/// A claim that other pods use only loses the pod. A claim without other pods keeps the pod until
/// it is unprepared, so that unprepare is retried on behalf of the pod.
///
/// @param next the state without the pod where other pods use the claim; claims to unprepare are
///   marked, so that no pod begins to use them
/// @param calls the claims that each driver has to unprepare
/// @param released claims to remove when all calls have succeeded
record UnprepareDecision(
        NodeClaimStates next,
        Map<String, List<NodeClaimState>> calls,
        List<NodeClaimState> released) {

    static UnprepareDecision decide(NodeClaimStates claimStates, Uid pod) {
        var next = claimStates;
        var calls = new LinkedHashMap<String, List<NodeClaimState>>();
        var released = new ArrayList<NodeClaimState>();
        for (var claim : claimStates.of(pod)) {
            if (claim.pods().size() > 1) {
                var others = new LinkedHashSet<>(claim.pods());
                others.remove(pod);
                next = next.with(claim.withPods(others));
                continue;
            }
            var unpreparing = claim.withPhase(Phase.UNPREPARING);
            next = next.with(unpreparing);
            released.add(unpreparing);
            unpreparing
                    .drivers()
                    .forEach((driver, part) -> {
                        if (!part.skips(SkipNodeOperation.Known.UNPREPARE.text())) {
                            calls.computeIfAbsent(driver, _ -> new ArrayList<>()).add(unpreparing);
                        }
                    });
        }
        return new UnprepareDecision(next, calls, released);
    }
}
