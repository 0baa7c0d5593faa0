package dev.berth.core.cel.eval;

import java.util.Optional;

/// An expression as nodes.
///
/// @param slots how many local variables it has
/// @param fault why it can never be evaluated
record LoweredExpression(ExpressionNode root, int slots, Optional<String> fault) {}
