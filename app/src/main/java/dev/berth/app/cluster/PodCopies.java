package dev.berth.app.cluster;

import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodStatus;
import java.util.ArrayList;
import java.util.List;

/// Copies of a pod with distinct names.
final class PodCopies {

    private PodCopies() {}

    /// The pod itself, or as many copies as are to be planned.
    static List<Pod> of(Pod pod, ReplicaCount number) {
        if (number instanceof ReplicaCount.AsWritten) {
            return List.of(pod);
        }
        var pods = new ArrayList<Pod>();
        for (var i = 0; i < number.total(0, 1); i++) {
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
