package dev.berth.dashboard.watch;

import dev.berth.core.explain.ClusterObjects;
import dev.berth.core.explain.finding.ControlPlaneRecords;
import dev.berth.core.plan.PlanInput;
import dev.berth.core.snapshot.ClusterContext;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.ClusterVolumes;
import dev.berth.core.snapshot.NamespaceLabels;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodPhase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The watched objects as inputs of `core`.
public final class WatchedObjects {

    private final ClusterWatch watch;

    public WatchedObjects(ClusterWatch watch) {
        this.watch = watch;
    }

    /// All objects, to explain one of them.
    public ClusterObjects of(ClusterSnapshot snapshot) {
        return new ClusterObjects(
                snapshot.inventory().nodes(),
                List.copyOf(watch.classes().all()),
                List.copyOf(watch.slices().all()),
                List.copyOf(watch.taintRules().all()),
                List.copyOf(watch.claims().all()),
                List.copyOf(watch.templates().all()),
                watch.pods().all().stream().filter(WatchedObjects::isActive).toList(),
                context(),
                snapshot.usage(),
                new ControlPlaneRecords(
                        false, List.copyOf(watch.quotas().all()), List.of(), Set.of()),
                Set.of());
    }

    /// The cluster as the input of a plan.
    ///
    /// @param pending pods to place
    public PlanInput planInput(ClusterSnapshot snapshot, List<Pod> pending) {
        return new PlanInput(
                snapshot.inventory().nodes(),
                List.copyOf(watch.slices().all()),
                List.copyOf(watch.classes().all()),
                List.copyOf(watch.taintRules().all()),
                List.copyOf(watch.claims().all()),
                List.copyOf(watch.templates().all()),
                watch.pods().all().stream()
                        .filter(WatchedObjects::isActive)
                        .filter(pod -> !pod.spec().nodeName().isEmpty())
                        .toList(),
                pending.stream()
                        .map(pod -> new PlanInput.PendingPod("pod " + pod.ref(), pod))
                        .toList(),
                context());
    }

    private static boolean isActive(Pod pod) {
        return pod.status().phase() != PodPhase.Known.SUCCEEDED
                && pod.status().phase() != PodPhase.Known.FAILED;
    }

    private ClusterContext context() {
        Map<String, Map<String, String>> labels = new HashMap<>();
        for (var namespace : watch.namespaces().all()) {
            var metadata = namespace.objectOrEmpty("metadata");
            var own = new HashMap<String, String>();
            var all = metadata.objectOrEmpty("labels");
            all.names().forEach(name -> own.put(name, all.text(name)));
            labels.put(metadata.text("name"), own);
        }
        return new ClusterContext(
                ClusterVolumes.of(
                        List.copyOf(watch.volumeClaims().all()),
                        List.copyOf(watch.volumes().all()),
                        List.copyOf(watch.storageClasses().all()),
                        watch.knowsStorage()),
                NamespaceLabels.of(labels));
    }
}
