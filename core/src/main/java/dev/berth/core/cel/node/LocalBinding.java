package dev.berth.core.cel.node;

import org.jspecify.annotations.Nullable;

/// A local variable.
///
/// @param initial initial value of an accumulator; null for other variables
/// @param fixed true when the variable is never reassigned
public record LocalBinding(
        String name, int slot, @Nullable ExpressionNode initial, boolean fixed) {}
