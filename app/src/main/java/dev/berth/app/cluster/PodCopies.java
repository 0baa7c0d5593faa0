package dev.berth.app.cluster;

import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/// Copies of a pod with distinct names.
final class PodCopies {

    private PodCopies() {}

    static List<Pod> of(Pod pod, OptionalInt number) {
        if (number.isEmpty()) {
            return List.of(pod);
        }
        var pods = new ArrayList<Pod>();
        for (var i = 0; i < number.getAsInt(); i++) {
            pods.add(named(pod, pod.metadata().name() + "-" + i));
        }
        return pods;
    }

    static Pod named(Pod pod, String name) {
        var metadata =
                ObjectMeta.of(pod.metadata().namespace(), name)
                        .withLabels(pod.metadata().labels())
                        .withAnnotations(pod.metadata().annotations());
        return new Pod(metadata, pod.spec(), PodStatus.EMPTY);
    }
}
