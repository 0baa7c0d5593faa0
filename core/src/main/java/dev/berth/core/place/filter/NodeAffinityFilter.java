package dev.berth.core.place.filter;

import dev.berth.core.inventory.NodeSelectorMatcher;
import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeFilter;
import dev.berth.core.place.Rejection;
import dev.berth.core.snapshot.TopologyDomain;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.selector.NodeSelector;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// NodeAffinity: the node matches the node selector and the required node affinity of the pod.
public final class NodeAffinityFilter implements NodeFilter {

    /// The node does not match.
    ///
    /// @param label the label of the node selector that the node lacks; empty when the affinity
    ///   does not match
    public record NodeAffinityMismatch(Optional<TopologyDomain> label) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't match Pod's node affinity/selector";
        }

        @Override
        public String description() {
            return label.map(wanted -> "the pod's nodeSelector requires " + wanted)
                    .orElse("the pod's node affinity does not match");
        }

        @Override
        public String rule() {
            return label.map(wanted -> "nodeSelector " + wanted).orElse("node affinity");
        }

        @Override
        public Optional<String> remedy() {
            return Optional.of(
                    label.map(wanted -> "drop %s from the nodeSelector".formatted(wanted))
                            .orElse("drop the node affinity"));
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return ClusterEvent.NODE_EVENTS;
        }
    }

    @Override
    public String name() {
        return "NodeAffinity";
    }

    @Override
    public Scope scope() {
        return Scope.NODE;
    }

    @Override
    public Object cacheKey(EvaluationContext context) {
        var pod = context.pod();
        return List.of(pod.spec().nodeSelector(), required(pod));
    }

    @Override
    public Optional<Check> prepare(EvaluationContext context) {
        var pod = context.pod();
        if (pod.spec().nodeSelector().isEmpty() && required(pod).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                (node, rejections) -> mismatch(pod, node.node()).ifPresent(rejections::add));
    }

    static boolean matches(Pod pod, Node node) {
        return mismatch(pod, node).isEmpty();
    }

    private static Optional<NodeSelector> required(Pod pod) {
        return pod.spec()
                .affinity()
                .flatMap(affinity -> affinity.nodeAffinity())
                .flatMap(affinity -> affinity.required());
    }

    private static Optional<NodeAffinityMismatch> mismatch(Pod pod, Node node) {
        for (var required : pod.spec().nodeSelector().entrySet()) {
            if (!required.getValue().equals(node.labels().get(required.getKey()))) {
                var label = new TopologyDomain(required.getKey(), required.getValue());
                return Optional.of(new NodeAffinityMismatch(Optional.of(label)));
            }
        }
        return required(pod)
                .filter(selector -> !NodeSelectorMatcher.matches(selector, node))
                .map(_ -> new NodeAffinityMismatch(Optional.empty()));
    }
}
