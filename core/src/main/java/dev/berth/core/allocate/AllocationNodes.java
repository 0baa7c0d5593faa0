package dev.berth.core.allocate;

import dev.berth.model.api.DeviceScope;
import dev.berth.model.api.NodeScope;
import dev.berth.model.api.NodeSelector;
import dev.berth.model.api.NodeSelectorRequirement;
import dev.berth.model.api.NodeSelectorTerm;
import dev.berth.model.api.SliceScope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// The nodes from which all devices of an allocation can be used.
final class AllocationNodes {

    private final NodeDevices arena;

    AllocationNodes(NodeDevices arena) {
        this.arena = arena;
    }

    /// The selector for a result with these devices; empty when every node will do.
    ///
    /// @throws Preparation.Refusal when a device has a selector of several terms, whose combination
    ///   with others cannot be expressed
    Optional<NodeSelector> of(List<Integer> devices) {
        var expressions = new ArrayList<NodeSelectorRequirement>();
        var fields = new ArrayList<NodeSelectorRequirement>();
        for (var device : devices) {
            if (arena.traits(device).bindsToNode()) {
                return Optional.of(NodeSelector.ofNode(arena.node().name()));
            }
            switch (scope(device)) {
                case NodeScope.OneNode _ -> {
                    return Optional.of(NodeSelector.ofNode(arena.node().name()));
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
        return switch (arena.pool(device).scope(arena.row(device))) {
            case NodeScope scope -> scope;
            case SliceScope.PerDevice _ -> arena.traits(device).scope();
            case SliceScope.Unrecognised _ -> new DeviceScope.AsSlice();
        };
    }

    private static NodeSelectorTerm onlyTerm(NodeSelector selector) {
        if (selector.terms().size() != 1) {
            throw new RequestPreparation.Refusal(
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
