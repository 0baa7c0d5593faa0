package dev.berth.core.place;

import dev.berth.core.snapshot.NodeView;
import java.util.Optional;

/// A filter plugin of kube-scheduler: a rule that rejects nodes for a pod. One class per rule, one
/// line in [dev.berth.core.place.filter.NodeFilters].
public interface NodeFilter {

    /// The state that determines the result of a filter.
    enum Scope {
        /// The node, its pods, the device classes and the [#cacheKey] of the request. The result is
        /// cached until one of these changes.
        NODE,
        /// Also other nodes and pods, volumes or namespaces. The filter runs for each pod.
        CLUSTER
    }

    /// The name of the plugin in kube-scheduler.
    String name();

    Scope scope();

    /// The fields of the request that the filter reads: with equal keys its result on a node of one
    /// snapshot is equal.
    Object cacheKey(EvaluationContext context);

    /// The filter for one request, with everything computed that is the same for all nodes. Empty
    /// when it rejects no node.
    Optional<Check> prepare(EvaluationContext context);

    /// A filter that is prepared for one request.
    @FunctionalInterface
    interface Check {

        /// Adds the reasons to reject the node, if any.
        void evaluate(NodeView node, RejectionCollector rejections);
    }
}
