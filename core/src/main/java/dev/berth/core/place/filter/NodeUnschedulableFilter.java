package dev.berth.core.place.filter;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeFilter;
import dev.berth.core.place.Rejection;
import dev.berth.core.taint.NodeTaints;
import dev.berth.model.api.taint.NodeTaint;
import dev.berth.model.api.taint.NodeTaintEffect;
import java.util.Optional;
import java.util.Set;

/// NodeUnschedulable: the node is not cordoned, or the pod tolerates it.
public final class NodeUnschedulableFilter implements NodeFilter {

    private static final NodeTaint UNSCHEDULABLE =
            new NodeTaint(
                    "node.kubernetes.io/unschedulable",
                    "",
                    NodeTaintEffect.Known.NO_SCHEDULE,
                    Optional.empty());

    /// The node is cordoned.
    public record Unschedulable() implements Rejection {
        @Override
        public String text() {
            return "node(s) were unschedulable";
        }

        @Override
        public String description() {
            return "the node is unschedulable";
        }

        @Override
        public String rule() {
            return "unschedulable";
        }

        @Override
        public Optional<String> remedy() {
            return Optional.of("uncordon it");
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return ClusterEvent.NODE_EVENTS;
        }
    }

    /// True for the rejection by the taint that cordoned nodes have in addition.
    public static boolean isTaintOfCordon(Rejection rejection) {
        return rejection instanceof TaintTolerationFilter.UntoleratedTaint(var taint)
                && taint.key().equals(UNSCHEDULABLE.key());
    }

    @Override
    public String name() {
        return "NodeUnschedulable";
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
        if (NodeTaints.isTolerated(context.pod().spec().tolerations(), UNSCHEDULABLE)) {
            return Optional.empty();
        }
        return Optional.of((node, rejections) -> {
            if (node.node().spec().unschedulable()) {
                rejections.add(new Unschedulable());
            }
        });
    }
}
