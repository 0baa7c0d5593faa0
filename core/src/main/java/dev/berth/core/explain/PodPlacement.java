package dev.berth.core.explain;

import dev.berth.core.inventory.NodeSelectors;
import dev.berth.model.api.Affinity;
import dev.berth.model.api.Node;
import dev.berth.model.api.NodeAffinity;
import dev.berth.model.api.NodeTaint;
import dev.berth.model.api.NodeTaintEffect;
import dev.berth.model.api.Pod;
import dev.berth.model.api.Toleration;
import dev.berth.model.api.TolerationOperator;
import java.util.Map;
import java.util.Optional;

/// Whether a pod may use a node, devices aside: its name, labels, affinity and taints.
final class PodPlacement {

    private PodPlacement() {}

    /// Why the pod may not use the node.
    static Optional<String> obstacle(Pod pod, Node node) {
        var spec = pod.spec();
        if (!spec.nodeName().isEmpty() && !spec.nodeName().equals(node.name())) {
            return Optional.of("the pod is bound to node " + spec.nodeName());
        }
        if (node.spec().unschedulable() && spec.nodeName().isEmpty()) {
            return Optional.of("the node is unschedulable");
        }
        for (var label : spec.nodeSelector().entrySet()) {
            if (!label.getValue().equals(node.labels().get(label.getKey()))) {
                return Optional.of("the pod's nodeSelector wants " + shown(label));
            }
        }
        var required =
                spec.affinity().flatMap(Affinity::nodeAffinity).flatMap(NodeAffinity::required);
        if (required.isPresent() && !NodeSelectors.matches(required.get(), node)) {
            return Optional.of("the pod's node affinity does not match");
        }
        return node.spec().taints().stream()
                .filter(taint -> forbids(taint) && !isTolerated(pod, taint))
                .findFirst()
                .map(taint -> "the pod does not tolerate node taint " + shown(taint));
    }

    private static String shown(Map.Entry<String, String> label) {
        return label.getKey() + "=" + label.getValue();
    }

    private static String shown(NodeTaint taint) {
        var value = taint.value().isEmpty() ? "" : "=" + taint.value();
        return taint.key() + value + ":" + taint.effect().text();
    }

    private static boolean forbids(NodeTaint taint) {
        return taint.effect() == NodeTaintEffect.Known.NO_SCHEDULE
                || taint.effect() == NodeTaintEffect.Known.NO_EXECUTE;
    }

    private static boolean isTolerated(Pod pod, NodeTaint taint) {
        return pod.spec().tolerations().stream().anyMatch(t -> tolerates(t, taint));
    }

    private static boolean tolerates(Toleration toleration, NodeTaint taint) {
        var sameEffect = toleration.effect().map(e -> e.equals(taint.effect())).orElse(true);
        var sameKey = toleration.key().isEmpty() || toleration.key().equals(taint.key());
        return sameEffect
                && sameKey
                && (toleration.operator() == TolerationOperator.Known.EXISTS
                        || toleration.value().equals(taint.value()));
    }
}
