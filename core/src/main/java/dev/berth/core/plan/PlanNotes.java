package dev.berth.core.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;

/// What a plan could not take into account, said only where it matters and once a group.
final class PlanNotes {

    private PlanNotes() {}

    /// The notes on some pods.
    ///
    /// @param gaps what is not known of a pod
    static List<String> of(
            List<PlanInput.PendingPod> pendingPods,
            Function<PlanInput.PendingPod, List<String>> missingObjects) {
        var groups = new LinkedHashMap<String, List<String>>();
        for (var pending : pendingPods) {
            groups.computeIfAbsent(pending.group(), _ -> missingObjects.apply(pending));
        }
        var notes = new ArrayList<String>();
        groups.forEach((group, missing) -> {
            if (!missing.isEmpty()) {
                notes.add(
                        "%s: not known: %s; taken to be usable from every node"
                                .formatted(group, String.join(", ", missing)));
            }
        });
        return notes;
    }
}
