package dev.berth.core.testkit.reference;

import dev.berth.model.api.node.Node;
import dev.berth.model.api.selector.NodeSelector;
import dev.berth.model.api.selector.NodeSelectorOperator;
import dev.berth.model.api.selector.NodeSelectorRequirement;
import dev.berth.model.api.selector.NodeSelectorTerm;
import dev.berth.model.api.slice.DeviceScope;
import dev.berth.model.api.slice.NodeScope;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// Decides whether the devices of a scope are accessible from a node.
final class ReferenceNodeScope {

    private static final Pattern LABEL_KEY =
            Pattern.compile(
                    "([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?"
                            + "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    private static final Pattern LABEL_VALUE =
            Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");

    private final Node node;

    ReferenceNodeScope(Node node) {
        this.node = node;
    }

    boolean reaches(DeviceScope scope) {
        return switch (scope) {
            case NodeScope known -> reaches(known);
            case DeviceScope.AsSlice _ -> false;
            case DeviceScope.Unrecognised _ -> false;
        };
    }

    boolean reaches(NodeScope scope) {
        return switch (scope) {
            case NodeScope.OneNode(var name) -> name.equals(node.name());
            case NodeScope.AllNodes _ -> true;
            case NodeScope.MatchingNodes(var selector) -> matches(selector);
        };
    }

    /// A malformed term invalidates the selector even if another term matches.
    private boolean matches(NodeSelector selector) {
        var faults = new ArrayList<String>();
        for (var term : selector.terms()) {
            term.matchExpressions().forEach(one -> labelFault(one, faults));
            term.matchFields().forEach(one -> fieldFault(one, faults));
        }
        if (!faults.isEmpty()) {
            throw new AllocationFault(
                    "failed to parse node selector %s: %s"
                            .formatted(selector, String.join(", ", faults)));
        }
        return selector.terms().stream().anyMatch(this::matches);
    }

    private boolean matches(NodeSelectorTerm term) {
        if (term.matchExpressions().isEmpty() && term.matchFields().isEmpty()) {
            return false;
        }
        return term.matchExpressions().stream().allMatch(this::matchesLabels)
                && term.matchFields().stream().allMatch(this::matchesName);
    }

    private boolean matchesLabels(NodeSelectorRequirement one) {
        var has = node.labels().containsKey(one.key());
        var value = node.labels().getOrDefault(one.key(), "");
        return switch (known(one)) {
            case IN -> has && one.values().contains(value);
            case NOT_IN -> !has || !one.values().contains(value);
            case EXISTS -> has;
            case DOES_NOT_EXIST -> !has;
            case GT -> has && comparesTo(value, one.values().getFirst(), 1);
            case LT -> has && comparesTo(value, one.values().getFirst(), -1);
        };
    }

    private static boolean comparesTo(String actual, String bound, int sign) {
        var left = integer(actual);
        var right = integer(bound);
        return left.isPresent()
                && right.isPresent()
                && Long.compare(left.getAsLong(), right.getAsLong()) == sign;
    }

    private boolean matchesName(NodeSelectorRequirement one) {
        var same = one.values().getFirst().equals(node.name());
        return known(one) == NodeSelectorOperator.Known.IN ? same : !same;
    }

    private static NodeSelectorOperator.Known known(NodeSelectorRequirement one) {
        return switch (one.operator()) {
            case NodeSelectorOperator.Known known -> known;
            case NodeSelectorOperator.Unrecognised(var text) ->
                    throw new IllegalStateException("not checked: " + text);
        };
    }

    private static void labelFault(NodeSelectorRequirement one, List<String> faults) {
        if (!(one.operator() instanceof NodeSelectorOperator.Known known)) {
            faults.add("\"%s\" is not a valid node selector operator".formatted(text(one)));
            return;
        }
        if (!LABEL_KEY.matcher(one.key()).matches()) {
            faults.add("key: Invalid value: \"%s\"".formatted(one.key()));
        }
        var count = one.values().size();
        var countIsWrong =
                switch (known) {
                    case IN, NOT_IN -> count == 0;
                    case EXISTS, DOES_NOT_EXIST -> count != 0;
                    case GT, LT -> count != 1 || integer(one.values().getFirst()).isEmpty();
                };
        if (countIsWrong) {
            faults.add("values: Invalid value: %s for %s".formatted(one.values(), text(one)));
        }
        if (!one.values().stream().allMatch(value -> LABEL_VALUE.matcher(value).matches())) {
            faults.add("values: Invalid value: %s".formatted(one.values()));
        }
    }

    private static void fieldFault(NodeSelectorRequirement one, List<String> faults) {
        var isSet =
                one.operator() == NodeSelectorOperator.Known.IN
                        || one.operator() == NodeSelectorOperator.Known.NOT_IN;
        if (!isSet) {
            faults.add("\"%s\" is not a valid node field operator".formatted(text(one)));
        }
        if (!one.key().equals("metadata.name")) {
            faults.add("key: \"%s\" is not a field of nodes".formatted(one.key()));
        }
        if (one.values().size() != 1) {
            faults.add("values: Required value: must have one element");
        }
    }

    private static String text(NodeSelectorRequirement one) {
        return one.operator().text();
    }

    private static OptionalLong integer(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException notAnInteger) {
            return OptionalLong.empty();
        }
    }
}
