package dev.berth.core.cel.cost;

import dev.cel.common.types.CelType;
import java.util.List;
import java.util.Optional;

/// Static knowledge about one argument of a call.
///
/// @param type type found by the checker; `dyn` when unknown
/// @param size size of the argument itself, [SizeRange#UNBOUNDED] if unknown
/// @param elementSize size of each element, where the type has type parameters; otherwise unbounded
/// @param literal the value, if the argument is a constant: a `Long`, `String`, `Boolean` ...
public record ArgumentEstimate(
        CelType type, SizeRange size, SizeRange elementSize, Optional<Object> literal) {

    /// The element type, if the checker knows the argument as a list or another container.
    public Optional<CelType> elementType() {
        List<CelType> parameters = type.parameters();
        return parameters.isEmpty() ? Optional.empty() : Optional.of(parameters.getFirst());
    }

    /// The value of a constant integer argument, or `otherwise`.
    public long literalOr(long otherwise) {
        return literal.orElse(otherwise) instanceof Long value ? value : otherwise;
    }
}
