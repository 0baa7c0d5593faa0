package dev.berth.core.place.filter;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeFilter;
import dev.berth.core.place.Rejection;
import java.util.Optional;
import java.util.Set;

/// NodeName: the node is the one that the pod names.
public final class NodeNameFilter implements NodeFilter {

    /// The pod names another node.
    public record NodeNameMismatch(String named) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't match the requested node name";
        }

        @Override
        public String description() {
            return "the pod is bound to node " + named;
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return ClusterEvent.NODE_EVENTS;
        }
    }

    NodeNameFilter() {}

    @Override
    public String name() {
        return "NodeName";
    }

    @Override
    public Scope scope() {
        return Scope.NODE;
    }

    @Override
    public Object cacheKey(EvaluationContext context) {
        return context.pod().spec().nodeName();
    }

    @Override
    public Optional<Check> prepare(EvaluationContext context) {
        var named = context.pod().spec().nodeName();
        if (named.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of((node, rejections) -> {
            if (!named.equals(node.name())) {
                rejections.add(new NodeNameMismatch(named));
            }
        });
    }
}
