package dev.berth.core.cel.node;

import java.util.Objects;

/// A variable of a comprehension: the iteration variable or the accumulator.
public final class Variable extends Attribute {

    public final LocalBinding binding;

    public Variable(LocalBinding binding) {
        this.binding = binding;
    }

    @Override
    Object resolve(EvaluationFrame frame) {
        return Objects.requireNonNull(frame.slot(binding.slot()), binding::name);
    }
}
