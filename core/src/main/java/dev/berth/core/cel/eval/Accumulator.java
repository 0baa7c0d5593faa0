package dev.berth.core.cel.eval;

import java.util.Objects;

/// The variable that a comprehension starts with a value, as `cel.bind` does. The value is computed
/// when the variable is first needed, and so may never be.
final class Accumulator extends Attribute {

    final LocalBinding binding;

    Accumulator(LocalBinding binding) {
        this.binding = binding;
    }

    @Override
    Object resolve(EvaluationFrame frame) {
        var value = frame.slot(binding.slot());
        if (value == null) {
            value = Objects.requireNonNull(binding.initial(), binding::name).eval(frame);
            frame.put(binding.slot(), value);
        }
        return value;
    }
}
