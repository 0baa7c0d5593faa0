package dev.berth.core.lifecycle;

import dev.berth.core.taint.NodeTaints;
import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.taint.NodeTaint;
import dev.berth.model.api.taint.NodeTaintEffect;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Node health: the Ready condition by heartbeat, the taints that follow from it, and the evictions
/// that follow from those.
public final class NodeHealth {

    public static final String NOT_READY = "node.kubernetes.io/not-ready";
    public static final String UNREACHABLE = "node.kubernetes.io/unreachable";

    /// Time without renewal of the Lease after which a node is considered unreachable.
    public static final Duration LEASE_TIMEOUT = Duration.ofSeconds(40);

    private static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";
    private static final List<String> MANAGED = List.of(NOT_READY, UNREACHABLE, UNSCHEDULABLE);

    private NodeHealth() {}

    /// The condition to write for a node without heartbeat; empty when it has that condition
    /// already.
    ///
    /// @param heartbeatAt when its Lease last changed
    public static Optional<Condition> unknownCondition(
            Node node, Instant heartbeatAt, Instant now) {
        if (now.isBefore(heartbeatAt.plus(LEASE_TIMEOUT)) || readiness(node).equals("Unknown")) {
            return Optional.empty();
        }
        return Optional.of(
                new Condition(
                        "Ready",
                        "Unknown",
                        0,
                        Optional.of(now),
                        "NodeStatusUnknown",
                        "Kubelet stopped posting node status."));
    }

    /// `True`, `False`, `Unknown`, or empty when the node has no Ready condition.
    public static String readiness(Node node) {
        for (var condition : node.status().conditions()) {
            if (condition.type().equals("Ready")) {
                return condition.status();
            }
        }
        return "";
    }

    /// True when a pod is Ready although the kubelet of its node no longer reports.
    public static boolean isReadyOnUnknownNode(Pod pod, Node node) {
        return readiness(node).equals("Unknown")
                && pod.status().conditions().stream()
                        .anyMatch(one -> one.type().equals("Ready") && one.isTrue());
    }

    /// The taints that a node should have; empty when it has them already.
    public static Optional<List<NodeTaint>> taints(Node node, Instant now) {
        var desired = new ArrayList<NodeTaint>();
        for (var taint : node.spec().taints()) {
            if (!MANAGED.contains(taint.key())) {
                desired.add(taint);
            }
        }
        switch (readiness(node)) {
            case "False" -> addBoth(desired, NOT_READY, node, now);
            case "Unknown" -> addBoth(desired, UNREACHABLE, node, now);
            default -> {}
        }
        if (node.spec().unschedulable()) {
            desired.add(existingOr(node, UNSCHEDULABLE, NodeTaintEffect.Known.NO_SCHEDULE, now));
        }
        return List.copyOf(desired).equals(ordered(node)) ? Optional.empty() : Optional.of(desired);
    }

    private static void addBoth(List<NodeTaint> desired, String key, Node node, Instant now) {
        desired.add(existingOr(node, key, NodeTaintEffect.Known.NO_SCHEDULE, now));
        desired.add(existingOr(node, key, NodeTaintEffect.Known.NO_EXECUTE, now));
    }

    private static NodeTaint existingOr(
            Node node, String key, NodeTaintEffect effect, Instant now) {
        for (var taint : node.spec().taints()) {
            if (taint.key().equals(key) && taint.effect().equals(effect)) {
                return taint;
            }
        }
        return new NodeTaint(key, "", effect, Optional.of(now));
    }

    /// The node's taints in the order in which they are written.
    private static List<NodeTaint> ordered(Node node) {
        var ordered = new ArrayList<NodeTaint>();
        for (var taint : node.spec().taints()) {
            if (!MANAGED.contains(taint.key())) {
                ordered.add(taint);
            }
        }
        for (var key : MANAGED) {
            for (var effect :
                    List.of(NodeTaintEffect.Known.NO_SCHEDULE, NodeTaintEffect.Known.NO_EXECUTE)) {
                node.spec().taints().stream()
                        .filter(one -> one.key().equals(key) && one.effect().equals(effect))
                        .forEach(ordered::add);
            }
        }
        return ordered;
    }

    /// True when the node has a taint that may evict pods.
    public static boolean evicts(Node node) {
        return node.spec().taints().stream()
                .anyMatch(taint -> taint.effect() == NodeTaintEffect.Known.NO_EXECUTE);
    }

    /// When a pod is evicted from its node; empty for never.
    public static Optional<Instant> evictionTime(Pod pod, Node node, Instant now) {
        Optional<Instant> earliest = Optional.empty();
        for (var taint : node.spec().taints()) {
            if (taint.effect() == NodeTaintEffect.Known.NO_EXECUTE) {
                var at = evictionTime(pod, taint, now);
                if (at.isPresent() && (earliest.isEmpty() || at.get().isBefore(earliest.get()))) {
                    earliest = at;
                }
            }
        }
        return earliest;
    }

    private static Optional<Instant> evictionTime(Pod pod, NodeTaint taint, Instant now) {
        var added = taint.timeAdded().orElse(now);
        var seconds = OptionalLong.empty();
        var isTolerated = false;
        for (var toleration : pod.spec().tolerations()) {
            if (NodeTaints.tolerates(toleration, taint)) {
                isTolerated = true;
                if (toleration.tolerationSeconds().isPresent()) {
                    var granted = toleration.tolerationSeconds().getAsLong();
                    seconds = TolerationDuration.shorter(seconds, granted);
                }
            }
        }
        if (isTolerated && seconds.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(TolerationDuration.after(added, seconds.orElse(0)));
    }
}
