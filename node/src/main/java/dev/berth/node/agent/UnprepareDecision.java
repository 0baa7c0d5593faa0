package dev.berth.node.agent;

import dev.berth.model.api.SkipNodeOperation;
import dev.berth.model.api.Uid;
import dev.berth.node.agent.NodeClaimState.Phase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Decides what has to be done when a pod no longer uses its claims.
///
/// A claim that other pods use only loses the pod. One that nobody else uses keeps it until it is
/// unprepared, so that it is tried again for the pod's sake.
///
/// @param next without the pod where that is all; claims to be unprepared are marked, so that
///   nobody begins to use them
/// @param calls which claims each driver has to unprepare
/// @param released claims that are gone when all calls have succeeded
record UnprepareDecision(
        NodeClaimStates next,
        Map<String, List<NodeClaimState>> calls,
        List<NodeClaimState> released) {

    static UnprepareDecision decide(NodeClaimStates held, Uid pod) {
        var next = held;
        var calls = new LinkedHashMap<String, List<NodeClaimState>>();
        var released = new ArrayList<NodeClaimState>();
        for (var claim : held.of(pod)) {
            if (claim.pods().size() > 1) {
                var others = new LinkedHashSet<>(claim.pods());
                others.remove(pod);
                next = next.with(claim.withPods(others));
                continue;
            }
            var releasing = claim.withPhase(Phase.RELEASING);
            next = next.with(releasing);
            released.add(releasing);
            releasing
                    .drivers()
                    .forEach((driver, part) -> {
                        if (!part.skips(SkipNodeOperation.Known.UNPREPARE.text())) {
                            calls.computeIfAbsent(driver, _ -> new ArrayList<>()).add(releasing);
                        }
                    });
        }
        return new UnprepareDecision(next, calls, released);
    }
}
