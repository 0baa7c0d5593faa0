package dev.berth.app.explain;

import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.pod.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// The messages of `PodScheduled` conditions, which the scheduler writes.
final class SchedulingConditions {

    private SchedulingConditions() {}

    /// The messages of pods that are not scheduled, each with its pods; empty if there are none.
    static String text(List<Pod> pods) {
        var byMessage = new TreeMap<String, List<String>>();
        for (var pod : pods) {
            pod.status().conditions().stream()
                    .filter(one -> one.type().equals("PodScheduled") && !one.isTrue())
                    .map(Condition::message)
                    .forEach(message ->
                            byMessage
                                    .computeIfAbsent(message, _ -> new ArrayList<>())
                                    .add(pod.metadata().name()));
        }
        var text = new StringBuilder();
        byMessage.forEach((message, names) ->
                text.append(
                        "The scheduler reports for %s:%n  %s%n"
                                .formatted(PodNames.listed(names), message)));
        return text.toString();
    }
}
