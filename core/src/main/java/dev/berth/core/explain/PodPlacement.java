package dev.berth.core.explain;

import dev.berth.core.inventory.NodeSelectors;
import dev.berth.core.place.NodeFilters;
import dev.berth.model.api.Affinity;
import dev.berth.model.api.Node;
import dev.berth.model.api.NodeAffinity;
import dev.berth.model.api.NodeTaint;
import dev.berth.model.api.Pod;
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
        return NodeFilters.untolerated(pod, node)
                .map(taint -> "the pod does not tolerate node taint " + shown(taint));
    }

    private static String shown(Map.Entry<String, String> label) {
        return label.getKey() + "=" + label.getValue();
    }

    private static String shown(NodeTaint taint) {
        var value = taint.value().isEmpty() ? "" : "=" + taint.value();
        return taint.key() + value + ":" + taint.effect().text();
    }
}
