package dev.berth.core.testkit.verify;

import dev.berth.model.api.node.Node;
import dev.berth.model.api.selector.NodeSelector;
import dev.berth.model.api.selector.NodeSelectorRequirement;
import dev.berth.model.api.selector.NodeSelectorTerm;
import dev.berth.model.api.slice.NodeScope;
import java.util.HashMap;
import java.util.Map;

/// Whether a scope includes a node, given that its selectors are well-formed.
final class NodeScopeMatch {

    private final Node node;

    NodeScopeMatch(Node node) {
        this.node = node;
    }

    boolean includes(NodeScope scope) {
        return scope.equals(new NodeScope.AllNodes())
                || scope.equals(new NodeScope.OneNode(node.name()))
                || (scope instanceof NodeScope.MatchingNodes(var selector) && includes(selector));
    }

    boolean includes(NodeSelector selector) {
        return selector.terms().stream().anyMatch(this::includes);
    }

    private boolean includes(NodeSelectorTerm term) {
        var size = term.matchExpressions().size() + term.matchFields().size();
        var fields = Map.of("metadata.name", node.name());
        return size > 0
                && term.matchExpressions().stream().allMatch(one -> holds(one, node.labels()))
                && term.matchFields().stream().allMatch(one -> holds(one, fields));
    }

    private static boolean holds(NodeSelectorRequirement one, Map<String, String> values) {
        var known = new HashMap<>(values);
        var actual = known.get(one.key());
        return switch (one.operator().text()) {
            case "In" -> actual != null && one.values().contains(actual);
            case "NotIn" -> actual == null || !one.values().contains(actual);
            case "Exists" -> actual != null;
            case "DoesNotExist" -> actual == null;
            case "Gt" -> actual != null && number(actual) > number(one.values().getFirst());
            case "Lt" -> actual != null && number(actual) < number(one.values().getFirst());
            default -> false;
        };
    }

    private static double number(String text) {
        return text.matches("[-+]?[0-9]{1,15}") ? Long.parseLong(text) : Double.NaN;
    }
}
