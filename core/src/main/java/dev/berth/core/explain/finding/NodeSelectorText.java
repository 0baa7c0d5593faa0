package dev.berth.core.explain.finding;

import dev.berth.core.explain.text.ExplanationWording;
import dev.berth.model.api.selector.NodeSelector;
import dev.berth.model.api.selector.NodeSelectorRequirement;
import dev.berth.model.api.selector.NodeSelectorTerm;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Text form of node selectors: `zone In [a, b], disk Exists or metadata.name In [node-1]`.
final class NodeSelectorText {

    private static final String NAME = "metadata.name";

    private NodeSelectorText() {}

    static String of(NodeSelector selector) {
        return selector.terms().stream()
                .map(NodeSelectorText::of)
                .collect(Collectors.joining(" or "));
    }

    private static String of(NodeSelectorTerm term) {
        return Stream.concat(term.matchExpressions().stream(), term.matchFields().stream())
                .map(one ->
                        one.key()
                                + " "
                                + one.operator().text()
                                + (one.values().isEmpty()
                                        ? ""
                                        : " [%s]"
                                                .formatted(
                                                        ExplanationWording.listed(
                                                                one.values(), ", "))))
                .collect(Collectors.joining(", "));
    }

    /// The names that a selector by the field `metadata.name` lists; empty for other selectors.
    static List<String> nodeNames(NodeSelector selector) {
        return selector.terms().stream()
                .flatMap(term -> term.matchFields().stream())
                .filter(one -> one.key().equals(NAME) && one.operator().text().equals("In"))
                .map(NodeSelectorRequirement::values)
                .flatMap(List::stream)
                .toList();
    }

    /// The only node that a selector can match, by name.
    static Optional<String> onlyNode(NodeSelector selector) {
        var names = nodeNames(selector);
        return selector.terms().size() == 1 && names.size() == 1
                ? Optional.of(names.getFirst())
                : Optional.empty();
    }
}
