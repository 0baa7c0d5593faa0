package dev.berth.core.allocate;

import dev.berth.core.allocate.request.RequestPreparation;
import dev.berth.core.allocate.state.NodeDevices;
import dev.berth.model.api.selector.NodeSelector;
import dev.berth.model.api.selector.NodeSelectorRequirement;
import dev.berth.model.api.selector.NodeSelectorTerm;
import dev.berth.model.api.slice.DeviceScope;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.SliceScope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Computes the node selector of an allocation: the nodes from which all its devices are
/// accessible.
final class AllocationNodes {

    private final NodeDevices nodeDevices;

    AllocationNodes(NodeDevices nodeDevices) {
        this.nodeDevices = nodeDevices;
    }

    /// The node selector for these devices; empty when all nodes can access them.
    ///
    /// @throws RequestPreparation.InvalidRequestException when a node selector of a device has
    ///   several terms: an intersection of such selectors cannot be expressed
    Optional<NodeSelector> of(List<Integer> devices) {
        var expressions = new ArrayList<NodeSelectorRequirement>();
        var fields = new ArrayList<NodeSelectorRequirement>();
        for (var device : devices) {
            if (nodeDevices.traits(device).bindsToNode()) {
                return Optional.of(NodeSelector.ofNode(nodeDevices.node().name()));
            }
            switch (scope(device)) {
                case NodeScope.OneNode _ -> {
                    return Optional.of(NodeSelector.ofNode(nodeDevices.node().name()));
                }
                case NodeScope.MatchingNodes(var selector) -> {
                    var term = onlyTerm(selector);
                    term.matchExpressions().forEach(r -> addNew(expressions, r));
                    term.matchFields().forEach(r -> addNew(fields, r));
                }
                case NodeScope.AllNodes _, DeviceScope.AsSlice _, DeviceScope.Unrecognised _ -> {}
            }
        }
        return expressions.isEmpty() && fields.isEmpty()
                ? Optional.empty()
                : Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(expressions, fields))));
    }

    private DeviceScope scope(int device) {
        return switch (nodeDevices.pool(device).scope(nodeDevices.row(device))) {
            case NodeScope scope -> scope;
            case SliceScope.PerDevice _ -> nodeDevices.traits(device).scope();
            case SliceScope.Unrecognised _ -> new DeviceScope.AsSlice();
        };
    }

    private static NodeSelectorTerm onlyTerm(NodeSelector selector) {
        if (selector.terms().size() != 1) {
            throw new RequestPreparation.InvalidRequestException(
                    "unsupported ResourceSlice.NodeSelector with %d terms"
                            .formatted(selector.terms().size()));
        }
        return selector.terms().getFirst();
    }

    private static void addNew(
            List<NodeSelectorRequirement> requirements, NodeSelectorRequirement candidate) {
        for (var known : requirements) {
            if (known.key().equals(candidate.key())
                    && known.operator().equals(candidate.operator())
                    && new HashSet<>(known.values()).equals(new HashSet<>(candidate.values()))) {
                return;
            }
        }
        requirements.add(candidate);
    }
}
