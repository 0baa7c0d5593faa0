package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.Failure;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// `[a, ?b]`.
final class ListLiteral extends Node {

    private static final int COST = 10;

    private final Node[] elements;
    private final BitSet optional;

    ListLiteral(List<Node> elements, BitSet optional) {
        this.elements = elements.toArray(Node[]::new);
        this.optional = optional;
    }

    @Override
    List<Node> children() {
        return List.of(elements);
    }

    @Override
    Object eval(Frame frame) {
        var result = build(frame);
        frame.charge(COST);
        return result;
    }

    private Object build(Frame frame) {
        if (elements.length == 1 && optional.isEmpty()) {
            var only = elements[0].eval(frame);
            return only instanceof Failure ? only : List.of(only);
        }
        var values = new ArrayList<Object>(elements.length);
        for (var i = 0; i < elements.length; i++) {
            var value = elements[i].eval(frame);
            if (value instanceof Failure) {
                return value;
            }
            if (!optional.get(i)) {
                values.add(value);
            } else if (value instanceof Optional<?> option) {
                option.ifPresent(values::add);
            } else {
                return new Failure(
                        "cannot initialize optional list element from non-optional value " + value);
            }
        }
        return Collections.unmodifiableList(values);
    }

    /// The list when it can be known before any evaluation.
    Optional<Object> folded() {
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
