package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelError;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// `[a, ?b]`.
public final class ListLiteral extends ExpressionNode {

    private static final int COST = 10;

    private final ExpressionNode[] elements;
    private final BitSet optional;

    public ListLiteral(List<ExpressionNode> elements, BitSet optional) {
        this.elements = elements.toArray(ExpressionNode[]::new);
        this.optional = optional;
    }

    @Override
    public List<ExpressionNode> children() {
        return List.of(elements);
    }

    @Override
    public Object eval(EvaluationFrame frame) {
        var result = build(frame);
        frame.charge(COST);
        return result;
    }

    private Object build(EvaluationFrame frame) {
        if (elements.length == 1 && optional.isEmpty()) {
            var only = elements[0].eval(frame);
            return only instanceof CelError ? only : List.of(only);
        }
        var values = new ArrayList<Object>(elements.length);
        for (var i = 0; i < elements.length; i++) {
            var value = elements[i].eval(frame);
            if (value instanceof CelError) {
                return value;
            }
            if (!optional.get(i)) {
                values.add(value);
            } else if (value instanceof Optional<?> option) {
                option.ifPresent(values::add);
            } else {
                return new CelError(
                        "cannot initialize optional list element from non-optional value " + value);
            }
        }
        return Collections.unmodifiableList(values);
    }

    /// The list, if it is constant.
    public Optional<Object> folded() {
        var values = new ArrayList<Object>(elements.length);
        for (var element : elements) {
            if (!(element instanceof Constant constant)) {
                return Optional.empty();
            }
            values.add(constant.value);
        }
        return optional.isEmpty() ? Optional.of(List.copyOf(values)) : Optional.empty();
    }
}
