package dev.berth.core.plan.defragment;

import dev.berth.core.disruption.DisruptionBudget;
import dev.berth.core.disruption.DisruptionsAllowed;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Pods that may be evicted: those that a controller replaces on any node, whose claims no other
/// pod uses, and whose PodDisruptionBudget allows a disruption. Evictions run one after the other,
/// each when the replacement of the one before is ready, so that a budget that allows one
/// disruption allows each of them.
public final class EvictionRules {

    /// Kinds of controllers that replace their pods only on the same node.
    private static final Set<String> NODE_CONTROLLERS = Set.of("DaemonSet", "Node");

    /// Priority of the class system-cluster-critical; higher ones are critical, too.
    private static final long SYSTEM_CRITICAL = 2_000_000_000;

    /// Annotations with which users forbid the eviction of a pod, and their values.
    private static final Map<String, String> FORBIDDING =
            Map.of(
                    "cluster-autoscaler.kubernetes.io/safe-to-evict", "false",
                    "karpenter.sh/do-not-disrupt", "true");

    private final List<DisruptionBudget> budgets;
    private final Map<ObjectRef, Long> allowed = new HashMap<>();

    /// @param pods all pods of the cluster
    public EvictionRules(Collection<DisruptionBudget> budgets, Collection<Pod> pods) {
        this.budgets = List.copyOf(budgets);
        for (var budget : budgets) {
            allowed.put(budget.ref(), DisruptionsAllowed.of(budget, pods));
        }
    }

    /// Whether a pod on a node may be evicted.
    ///
    /// @param priority of the pod for which room is made
    boolean permits(Pod pod, long priority, ClusterUsage usage) {
        var own = pod.spec().priority().orElse(0);
        return own <= priority
                && own < SYSTEM_CRITICAL
                && !pod.metadata().isDeleting()
                && pod.metadata()
                        .controller()
                        .filter(owner -> !NODE_CONTROLLERS.contains(owner.kind()))
                        .isPresent()
                && FORBIDDING.entrySet().stream()
                        .noneMatch(one ->
                                one.getValue()
                                        .equals(pod.metadata().annotations().get(one.getKey())))
                && isWithinBudget(pod)
                && PodClaimReferences.all(pod).stream()
                        .flatMap(ref -> usage.claim(ref).stream())
                        .allMatch(claim -> isUsedOnlyBy(claim, pod));
    }

    /// The eviction API refuses pods with several budgets.
    private boolean isWithinBudget(Pod pod) {
        var selecting = budgets.stream().filter(one -> one.selects(pod)).toList();
        return selecting.isEmpty()
                || (selecting.size() == 1
                        && allowed.getOrDefault(selecting.getFirst().ref(), 0L) > 0);
    }

    /// Whether a PodDisruptionBudget selects the pod.
    boolean isBudgeted(Pod pod) {
        return budgets.stream().anyMatch(one -> one.selects(pod));
    }

    private static boolean isUsedOnlyBy(ResourceClaim claim, Pod pod) {
        return claim.status().reservedFor().stream()
                .allMatch(user -> !user.isPodGroup() && user.uid().equals(pod.metadata().uid()));
    }
}
