package dev.berth.core.explain;

import dev.berth.core.place.ClaimUnusable;
import dev.berth.core.place.Rejection;
import dev.berth.core.place.UnusableClaim;
import dev.berth.core.place.filter.DynamicResourcesFilter;
import dev.berth.core.place.filter.NodeResourcesFitFilter;
import dev.berth.core.place.filter.TaintTolerationFilter;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Suggestions that remove everything that rules out a node.
final class NodeAllowances {

    private NodeAllowances() {}

    /// The suggestions for nodes whose rejections can all be removed, in the order of the nodes.
    static List<Suggestion> of(ExplainInputs inputs, List<Node> nodes) {
        return nodes.stream()
                .map(Node::name)
                .flatMap(name ->
                        Optional.ofNullable(inputs.rejections().get(name))
                                .filter(NodeAllowances::areRemediable)
                                .<Suggestion>map(reasons -> allowance(name, reasons))
                                .stream())
                .toList();
    }

    /// A claim that many pods use cannot be deallocated for one more.
    private static boolean areRemediable(List<Rejection> reasons) {
        var isFull =
                reasons.stream()
                        .anyMatch(reason ->
                                reason instanceof ClaimUnusable(_, var cause)
                                        && cause instanceof UnusableClaim.ReservationsFull);
        return reasons.stream().allMatch(NodeAllowances::isRemediable)
                && !(isFull
                        && reasons.stream()
                                .anyMatch(DynamicResourcesFilter.ClaimNotOnNode.class::isInstance));
    }

    /// A resource that no node provides is a mistake in the pod, and a taint of the node lifecycle
    /// controller is a symptom.
    private static boolean isRemediable(Rejection reason) {
        return switch (reason) {
            case NodeResourcesFitFilter.Insufficient insufficient ->
                    insufficient.total().signum() > 0 || !insufficient.resource().contains("/");
            case TaintTolerationFilter.UntoleratedTaint(var taint) ->
                    !taint.key().startsWith("node.kubernetes.io/");
            default -> reason.remedy().isPresent();
        };
    }

    /// Problems of devices that a claim releases no longer matter.
    private static Suggestion.AllowNode allowance(String node, List<Rejection> reasons) {
        var deallocated = new HashSet<ObjectRef>();
        for (var reason : reasons) {
            if (reason instanceof DynamicResourcesFilter.ClaimNotOnNode(var claim)) {
                deallocated.add(claim);
            }
        }
        return new Suggestion.AllowNode(
                node,
                reasons.stream()
                        .filter(reason ->
                                !(reason instanceof ClaimUnusable(var claim, _)
                                        && deallocated.contains(claim)))
                        .toList());
    }
}
