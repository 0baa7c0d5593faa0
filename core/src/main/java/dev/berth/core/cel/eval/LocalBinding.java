package dev.berth.core.cel.eval;

import org.jspecify.annotations.Nullable;

/// A local variable.
///
/// @param initial what an accumulator starts with; null for the other variables
/// @param fixed true when the variable keeps its initial value
record LocalBinding(String name, int slot, @Nullable ExpressionNode initial, boolean fixed) {}
