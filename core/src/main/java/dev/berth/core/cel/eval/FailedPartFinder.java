package dev.berth.core.cel.eval;

import dev.berth.core.cel.DeviceView;
import dev.berth.core.cel.FailedSubexpression;
import dev.berth.core.cel.ReadValue;
import dev.berth.core.cel.library.CelError;
import dev.berth.core.cel.node.Comprehension;
import dev.berth.core.cel.node.Conditional;
import dev.berth.core.cel.node.CostLimitExceeded;
import dev.berth.core.cel.node.EvaluationFrame;
import dev.berth.core.cel.node.ExpressionNode;
import dev.berth.core.cel.node.LogicalChain;
import dev.berth.core.cel.value.DeviceFields;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.Semver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Finds the subexpressions that make a selector false or fail.
///
/// For a conjunction these are all false terms or, if none is false, all failed terms, so that the
/// author sees everything that is missing. For a disjunction these are all terms. For a conditional
/// it is the branch taken, for a `cel.bind` its body.
final class FailedPartFinder {

    private final String source;
    private final DeviceView device;
    private final EvaluationFrame frame;

    FailedPartFinder(String source, DeviceView device, int slots) {
        this.source = source;
        this.device = device;
        this.frame = new EvaluationFrame(device, slots);
    }

    List<FailedSubexpression> of(ExpressionNode root) {
        var causes = new ArrayList<FailedSubexpression>();
        try {
            var value = root.eval(frame);
            if (!Boolean.TRUE.equals(value)) {
                find(root, value, new SourcePart(source), causes);
            }
        } catch (CostLimitExceeded e) {
            return List.of(
                    new FailedSubexpression(source, true, CostLimitExceeded.MESSAGE, List.of()));
        }
        return causes;
    }

    private void find(
            ExpressionNode node, Object value, SourcePart part, List<FailedSubexpression> causes) {
        switch (node) {
            case LogicalChain junction -> findInTerms(junction, value, part, causes);
            case Comprehension bind when bind.accumulator.fixed() ->
                    find(bind.result, value, part.body(), causes);
            case Conditional choice -> findInBranch(choice, value, part, causes);
            default -> causes.add(cause(node, value, part));
        }
    }

    private void findInBranch(
            Conditional choice, Object value, SourcePart part, List<FailedSubexpression> causes) {
        if (choice.condition.eval(frame) instanceof Boolean decision) {
            find(decision ? choice.yes : choice.no, value, part.branch(decision), causes);
        } else {
            causes.add(cause(choice.condition, value, part));
        }
    }

    private void findInTerms(
            LogicalChain junction,
            Object whole,
            SourcePart part,
            List<FailedSubexpression> causes) {
        var terms = junction.children();
        var parts = part.terms(junction.conjunction ? "&&" : "||", terms.size());
        var onlyFalse = junction.conjunction && Boolean.FALSE.equals(whole);
        for (var i = 0; i < terms.size(); i++) {
            var value = terms.get(i).eval(frame);
            var relevant =
                    junction.conjunction
                            ? (onlyFalse
                                    ? Boolean.FALSE.equals(value)
                                    : !Boolean.TRUE.equals(value))
                            : !Boolean.TRUE.equals(value);
            if (relevant) {
                find(terms.get(i), value, parts.get(i), causes);
            }
        }
    }

    private FailedSubexpression cause(ExpressionNode node, Object value, SourcePart part) {
        var message =
                switch (value) {
                    case CelError(var text) -> text;
                    case Boolean _ -> "";
                    default -> "no such overload";
                };
        return new FailedSubexpression(
                part.text(),
                !(value instanceof Boolean),
                message,
                DevicePath.readBy(node).stream().map(this::read).toList());
    }

    private ReadValue read(DevicePath path) {
        Object value = new DeviceFields(device);
        for (var key : path.keys()) {
            value = value instanceof Map<?, ?> map ? map.get(key) : null;
            if (value == null) {
                return new ReadValue(path.toString(), Optional.empty());
            }
        }
        return new ReadValue(path.toString(), Optional.of(print(value)));
    }

    private static String print(Object value) {
        return switch (value) {
            case String text -> quoted(text);
            case Semver version -> "semver(\"" + version + "\")";
            case Quantity amount -> "quantity(\"" + amount + "\")";
            case List<?> list ->
                    list.stream()
                            .map(FailedPartFinder::print)
                            .collect(Collectors.joining(", ", "[", "]"));
            case Map<?, ?> map ->
                    map.entrySet().stream()
                            .map(e -> print(e.getKey()) + ": " + print(e.getValue()))
                            .collect(Collectors.joining(", ", "{", "}"));
            default -> value.toString();
        };
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
