package dev.berth.core.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;

/// Notes on missing objects, once per group of pods.
final class PlanNotes {

    private PlanNotes() {}

    /// The notes on these pods.
    ///
    /// @param missingObjects the missing objects of a pod
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
                        "%s: missing from the input: %s; assumed to be accessible from every node"
                                .formatted(group, String.join(", ", missing)));
            }
        });
        return notes;
    }
}
