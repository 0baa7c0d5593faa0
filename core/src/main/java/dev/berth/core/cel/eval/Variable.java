package dev.berth.core.cel.eval;

import java.util.Objects;

/// A variable of a comprehension: the iteration variable or the accumulator.
final class Variable extends Attribute {

    final LocalBinding binding;

    Variable(LocalBinding binding) {
        this.binding = binding;
    }

    @Override
    Object resolve(EvaluationFrame frame) {
        return Objects.requireNonNull(frame.slot(binding.slot()), binding::name);
    }
}
