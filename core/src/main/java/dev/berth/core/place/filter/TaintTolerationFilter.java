package dev.berth.core.place.filter;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeFilter;
import dev.berth.core.place.Rejection;
import dev.berth.core.taint.NodeTaints;
import dev.berth.model.api.taint.NodeTaint;
import java.util.Optional;
import java.util.Set;

/// TaintToleration: the pod tolerates the taints of the node.
public final class TaintTolerationFilter implements NodeFilter {

    /// The pod does not tolerate a taint.
    public record UntoleratedTaint(NodeTaint taint) implements Rejection {
        @Override
        public String text() {
            return "node(s) had untolerated taint {%s: %s}".formatted(taint.key(), taint.value());
        }

        @Override
        public String description() {
            return "the pod does not tolerate node taint " + NodeTaints.format(taint);
        }

        @Override
        public String rule() {
            return "untolerated taint " + NodeTaints.format(taint);
        }

        @Override
        public Optional<String> remedy() {
            return Optional.of("tolerate node taint " + NodeTaints.format(taint));
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return ClusterEvent.NODE_EVENTS;
        }
    }

    @Override
    public String name() {
        return "TaintToleration";
    }

    @Override
    public Scope scope() {
        return Scope.NODE;
    }

    @Override
    public Object cacheKey(EvaluationContext context) {
        return context.pod().spec().tolerations();
    }

    @Override
    public Optional<Check> prepare(EvaluationContext context) {
        var tolerations = context.pod().spec().tolerations();
        return Optional.of((node, rejections) ->
                NodeTaints.untolerated(tolerations, node.node())
                        .ifPresent(taint -> rejections.add(new UntoleratedTaint(taint))));
    }
}
