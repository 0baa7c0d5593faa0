package dev.berth.core.cel.cost;

import dev.cel.common.types.CelType;
import java.util.List;
import java.util.Optional;

/// What is known about one argument of a call before anything is evaluated.
///
/// @param type as the checker found it; `dyn` says nothing about the value
/// @param size of the argument itself, [SizeRange#UNBOUNDED] if nothing bounds it
/// @param elementSize of each element, where the type has type parameters; else unbounded
/// @param literal the value, if the argument is a constant: a `Long`, `String`, `Boolean` ...
public record ArgumentEstimate(
        CelType type, SizeRange size, SizeRange elementSize, Optional<Object> literal) {

    /// The type of the elements, if the checker knows the argument as a list or another container.
    public Optional<CelType> elementType() {
        List<CelType> parameters = type.parameters();
        return parameters.isEmpty() ? Optional.empty() : Optional.of(parameters.getFirst());
    }

    /// The constant integer that this argument is, or `otherwise`.
    public long literalOr(long otherwise) {
        return literal.orElse(otherwise) instanceof Long value ? value : otherwise;
    }
}
