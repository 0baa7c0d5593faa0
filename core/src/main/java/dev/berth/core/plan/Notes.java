package dev.berth.core.plan;

import dev.berth.model.api.PodSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// What a plan leaves out, said only where it matters.
final class Notes {

    private Notes() {}

    static List<String> of(Scenario scenario) {
        var groups = new LinkedHashMap<String, List<String>>();
        for (var order : scenario.orders()) {
            var pod = order.pod();
            if (!groups.containsKey(order.group())) {
                groups.put(order.group(), ignored(pod.spec()));
            }
        }
        var notes = new ArrayList<String>();
        groups.forEach((group, ignored) -> {
            if (!ignored.isEmpty()) {
                notes.add(
                        "%s: %s not taken into account"
                                .formatted(group, String.join(", ", ignored)));
            }
        });
        return notes;
    }

    private static List<String> ignored(PodSpec spec) {
        var ignored = new ArrayList<String>();
        spec.affinity()
                .ifPresent(affinity -> {
                    affinity.podAffinity().ifPresent(_ -> ignored.add("podAffinity"));
                    affinity.podAntiAffinity().ifPresent(_ -> ignored.add("podAntiAffinity"));
                });
        if (!spec.topologySpreadConstraints().isEmpty()) {
            ignored.add("topologySpreadConstraints");
        }
        if (spec.volumes().stream().anyMatch(volume -> volume.has("persistentVolumeClaim"))) {
            ignored.add("persistent volumes");
        }
        return ignored;
    }
}
