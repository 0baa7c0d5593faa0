package dev.berth.core.inventory;

import dev.berth.model.api.node.Node;
import dev.berth.model.api.selector.NodeSelector;
import dev.berth.model.api.selector.NodeSelectorOperator;
import dev.berth.model.api.selector.NodeSelectorRequirement;
import dev.berth.model.api.selector.NodeSelectorTerm;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Validates node selectors and matches them against nodes.
public final class NodeSelectorMatcher {

    private static final String NAME_FIELD = "metadata.name";
    private static final Pattern INTEGER = Pattern.compile("[-+]?[0-9]{1,18}");
    private static final Pattern LABEL_KEY =
            Pattern.compile(
                    "([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?"
                            + "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    private static final Pattern LABEL_VALUE =
            Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");

    private NodeSelectorMatcher() {}

    /// The validation error of a selector; one invalid term invalidates the whole selector.
    public static Optional<String> fault(NodeSelector selector) {
        var faults = new ArrayList<String>();
        for (var term : selector.terms()) {
            term.matchExpressions().forEach(requirement -> addFault(requirement, faults));
            term.matchFields().forEach(requirement -> addFieldFault(requirement, faults));
        }
        return faults.isEmpty()
                ? Optional.empty()
                : Optional.of("malformed node selector: " + String.join("; ", faults));
    }

    private static void addFault(NodeSelectorRequirement requirement, List<String> faults) {
        var count = requirement.values().size();
        var isGood =
                switch (requirement.operator()) {
                    case NodeSelectorOperator.Known known ->
                            switch (known) {
                                case IN, NOT_IN -> count > 0;
                                case EXISTS, DOES_NOT_EXIST -> count == 0;
                                case GT, LT -> count == 1 && isInteger(requirement);
                            };
                    case NodeSelectorOperator.Unrecognised _ -> false;
                };
        var isLabel =
                LABEL_KEY.matcher(requirement.key()).matches()
                        && requirement.values().stream()
                                .allMatch(value -> LABEL_VALUE.matcher(value).matches());
        if (!isGood || !isLabel) {
            faults.add(shown(requirement));
        }
    }

    private static void addFieldFault(NodeSelectorRequirement requirement, List<String> faults) {
        var isSet =
                requirement.operator().equals(NodeSelectorOperator.Known.IN)
                        || requirement.operator().equals(NodeSelectorOperator.Known.NOT_IN);
        if (!isSet || !requirement.key().equals(NAME_FIELD) || requirement.values().size() != 1) {
            faults.add(shown(requirement));
        }
    }

    private static boolean isInteger(NodeSelectorRequirement requirement) {
        return INTEGER.matcher(requirement.values().getFirst()).matches();
    }

    private static String shown(NodeSelectorRequirement requirement) {
        return "%s %s %s"
                .formatted(requirement.key(), requirement.operator().text(), requirement.values());
    }

    /// Whether any term matches. A requirement with an unknown operator matches nothing.
    public static boolean matches(NodeSelector selector, Node node) {
        for (var term : selector.terms()) {
            if (matches(term, node)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(NodeSelectorTerm term, Node node) {
        if (term.matchExpressions().isEmpty() && term.matchFields().isEmpty()) {
            return false;
        }
        for (var requirement : term.matchExpressions()) {
            var label = Optional.ofNullable(node.labels().get(requirement.key()));
            if (!requirement.operator().matches(label, requirement.values())) {
                return false;
            }
        }
        for (var requirement : term.matchFields()) {
            if (!requirement.key().equals(NAME_FIELD)
                    || !requirement
                            .operator()
                            .matches(Optional.of(node.name()), requirement.values())) {
                return false;
            }
        }
        return true;
    }

    /// The node that a selector restricts to by `metadata.name`, as in allocations of node-local
    /// devices; empty for other selectors.
    public static Optional<String> onlyNode(NodeSelector selector) {
        if (selector.terms().size() != 1) {
            return Optional.empty();
        }
        for (var requirement : selector.terms().getFirst().matchFields()) {
            if (requirement.key().equals(NAME_FIELD)
                    && requirement.operator().equals(NodeSelectorOperator.Known.IN)
                    && requirement.values().size() == 1) {
                return Optional.of(requirement.values().getFirst());
            }
        }
        return Optional.empty();
    }
}
