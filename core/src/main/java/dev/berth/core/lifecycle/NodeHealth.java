package dev.berth.core.lifecycle;

import dev.berth.model.api.Condition;
import dev.berth.model.api.Node;
import dev.berth.model.api.NodeTaint;
import dev.berth.model.api.NodeTaintEffect;
import dev.berth.model.api.Pod;
import dev.berth.model.api.Toleration;
import dev.berth.model.api.TolerationOperator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Whether nodes are alive, what that does to their taints, and which pods have to leave them.
public final class NodeHealth {

    public static final String NOT_READY = "node.kubernetes.io/not-ready";
    public static final String UNREACHABLE = "node.kubernetes.io/unreachable";

    /// A node that does not renew its lease for so long is not heard of.
    public static final Duration LEASE_TIMEOUT = Duration.ofSeconds(40);

    private static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";
    private static final List<String> OURS = List.of(NOT_READY, UNREACHABLE, UNSCHEDULABLE);

    private NodeHealth() {}

    /// The condition to write for a node that was not heard of; empty when it says so already.
    ///
    /// @param heardAt when its lease last changed
    public static Optional<Condition> silence(Node node, Instant heardAt, Instant now) {
        if (now.isBefore(heardAt.plus(LEASE_TIMEOUT)) || readiness(node).equals("Unknown")) {
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

    /// `True`, `False`, `Unknown`, or empty when the node has never said.
    public static String readiness(Node node) {
        for (var condition : node.status().conditions()) {
            if (condition.type().equals("Ready")) {
                return condition.status();
            }
        }
        return "";
    }

    /// The taints that a node should have; empty when it has them.
    public static Optional<List<NodeTaint>> taints(Node node, Instant now) {
        var wanted = new ArrayList<NodeTaint>();
        for (var taint : node.spec().taints()) {
            if (!OURS.contains(taint.key())) {
                wanted.add(taint);
            }
        }
        switch (readiness(node)) {
            case "False" -> addBoth(wanted, NOT_READY, node, now);
            case "Unknown" -> addBoth(wanted, UNREACHABLE, node, now);
            default -> {}
        }
        if (node.spec().unschedulable()) {
            wanted.add(existingOr(node, UNSCHEDULABLE, NodeTaintEffect.Known.NO_SCHEDULE, now));
        }
        return List.copyOf(wanted).equals(ordered(node)) ? Optional.empty() : Optional.of(wanted);
    }

    private static void addBoth(List<NodeTaint> wanted, String key, Node node, Instant now) {
        wanted.add(existingOr(node, key, NodeTaintEffect.Known.NO_SCHEDULE, now));
        wanted.add(existingOr(node, key, NodeTaintEffect.Known.NO_EXECUTE, now));
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

    /// The node's taints in the order in which they would be written.
    private static List<NodeTaint> ordered(Node node) {
        var ordered = new ArrayList<NodeTaint>();
        for (var taint : node.spec().taints()) {
            if (!OURS.contains(taint.key())) {
                ordered.add(taint);
            }
        }
        for (var key : OURS) {
            for (var effect :
                    List.of(NodeTaintEffect.Known.NO_SCHEDULE, NodeTaintEffect.Known.NO_EXECUTE)) {
                node.spec().taints().stream()
                        .filter(one -> one.key().equals(key) && one.effect().equals(effect))
                        .forEach(ordered::add);
            }
        }
        return ordered;
    }

    /// True when pods may have to leave a node.
    public static boolean evicts(Node node) {
        return node.spec().taints().stream()
                .anyMatch(taint -> taint.effect() == NodeTaintEffect.Known.NO_EXECUTE);
    }

    /// When a pod has to leave its node; empty for never.
    public static Optional<Instant> leavesAt(Pod pod, Node node, Instant now) {
        Optional<Instant> earliest = Optional.empty();
        for (var taint : node.spec().taints()) {
            if (taint.effect() == NodeTaintEffect.Known.NO_EXECUTE) {
                var at = leavesAt(pod, taint, now);
                if (at.isPresent() && (earliest.isEmpty() || at.get().isBefore(earliest.get()))) {
                    earliest = at;
                }
            }
        }
        return earliest;
    }

    private static Optional<Instant> leavesAt(Pod pod, NodeTaint taint, Instant now) {
        var added = taint.timeAdded().orElse(now);
        var seconds = OptionalLong.empty();
        var isTolerated = false;
        for (var toleration : pod.spec().tolerations()) {
            if (tolerates(toleration, taint)) {
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

    private static boolean tolerates(Toleration toleration, NodeTaint taint) {
        if (toleration.effect().filter(effect -> !effect.equals(taint.effect())).isPresent()
                || (!toleration.key().isEmpty() && !toleration.key().equals(taint.key()))) {
            return false;
        }
        return switch (toleration.operator()) {
            case TolerationOperator.Known known ->
                    switch (known) {
                        case EXISTS -> true;
                        case EQUAL, UNSET -> toleration.value().equals(taint.value());
                    };
            case TolerationOperator.Unrecognised _ -> false;
        };
    }
}
