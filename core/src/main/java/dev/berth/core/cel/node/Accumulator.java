package dev.berth.core.cel.node;

import java.util.Objects;

/// The accumulator variable of a comprehension or `cel.bind`. Its initial value is computed lazily,
/// on first use.
public final class Accumulator extends Attribute {

    public final LocalBinding binding;

    public Accumulator(LocalBinding binding) {
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
