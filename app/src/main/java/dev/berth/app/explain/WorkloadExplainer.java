package dev.berth.app.explain;

import dev.berth.app.cluster.WorkloadState;
import dev.berth.app.explain.WorkloadReport.Outcome;
import dev.berth.app.explain.WorkloadReport.PodGroup;
import dev.berth.core.explain.ClusterObjects;
import dev.berth.core.explain.ExplainOptions;
import dev.berth.core.explain.Explainer;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.pod.PodSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Explains the pending pods of a workload. Pods that differ only in their names and in the names
/// of their claims are explained once: a large cluster takes seconds for each.
final class WorkloadExplainer {

    /// Labels that number the pods of a workload.
    private static final List<String> POD_LABELS =
            List.of(
                    "apps.kubernetes.io/pod-index",
                    "batch.kubernetes.io/job-completion-index",
                    "statefulset.kubernetes.io/pod-name");

    /// The volume with the service account token, which has a generated name.
    private static final String TOKEN_VOLUME = "kube-api-access-";

    /// Pods of a DaemonSet all differ, since each belongs to a node.
    private static final int MAX_EXPLAINED = 10;

    private final ExplainOptions options;
    private final Explainer explainer;

    WorkloadExplainer(ExplainOptions options, Explainer explainer) {
        this.options = options;
        this.explainer = explainer;
    }

    /// @param cluster objects of the cluster, with the missing pods of the workload
    WorkloadReport explain(WorkloadState workload, ClusterObjects cluster) {
        var pending =
                workload.pods().stream().filter(pod -> pod.spec().nodeName().isEmpty()).toList();
        var groups = new ArrayList<PodGroup>();
        for (var same : grouped(pending, cluster).stream().limit(MAX_EXPLAINED).toList()) {
            var names = same.stream().map(pod -> pod.metadata().name()).sorted().toList();
            groups.add(new PodGroup(names, outcome(same.getFirst(), cluster)));
        }
        var unwanted = workload.whyNoPodsAreWanted();
        var missing = unwanted.isPresent() ? List.<Pod>of() : workload.missing();
        if (pending.isEmpty() && !missing.isEmpty()) {
            groups.add(new PodGroup(List.of(), outcome(missing.getFirst(), cluster)));
        }
        var error = missing.isEmpty() ? Optional.<String>empty() : error(workload);
        return new WorkloadReport(
                workload.kind(),
                workload.ref(),
                workload.pods().size() - pending.size(),
                pending.size(),
                missing.size(),
                unwanted.filter(_ -> workload.pods().isEmpty()).or(() -> error),
                error.isPresent(),
                groups);
    }

    private static Optional<String> error(WorkloadState workload) {
        return workload.creationError()
                .or(() ->
                        workload.isCreated()
                                ? Optional.of("its controller reports no error")
                                : Optional.empty());
    }

    private Outcome outcome(Pod pod, ClusterObjects cluster) {
        return switch (cluster.ofPod(options, pod.ref())) {
            case ClusterObjects.Lookup.Missing(var reason) -> new Outcome.Unresolved(reason);
            case ClusterObjects.Lookup found -> new Outcome.Explained(explainer.explain(found));
        };
    }

    /// The fields of a pod and of its claims that decide where it can be scheduled.
    private record PodShape(
            Map<String, String> labels,
            PodSpec spec,
            List<ResourceClaimSpec> claims,
            List<Optional<AllocationResult>> allocations) {

        static PodShape of(Pod pod, ClusterObjects cluster) {
            var labels = new TreeMap<>(pod.metadata().labels());
            POD_LABELS.forEach(labels::remove);
            var volumes =
                    pod.spec().volumes().stream()
                            .filter(volume -> !volume.text("name").startsWith(TOKEN_VOLUME))
                            .toList();
            var claims =
                    PodClaimReferences.all(pod).stream()
                            .flatMap(ref ->
                                    cluster.claims().stream()
                                            .filter(claim -> claim.ref().equals(ref)))
                            .toList();
            return new PodShape(
                    labels,
                    pod.spec().withVolumes(volumes),
                    claims.stream().map(ResourceClaim::spec).toList(),
                    claims.stream().map(claim -> claim.status().allocation()).toList());
        }
    }

    private static List<List<Pod>> grouped(List<Pod> pods, ClusterObjects cluster) {
        var groups = new LinkedHashMap<PodShape, List<Pod>>();
        for (var pod : pods) {
            groups.computeIfAbsent(PodShape.of(pod, cluster), _ -> new ArrayList<>()).add(pod);
        }
        return List.copyOf(groups.values());
    }
}
