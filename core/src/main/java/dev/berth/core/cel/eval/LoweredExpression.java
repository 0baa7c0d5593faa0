package dev.berth.core.cel.eval;

import dev.berth.core.cel.node.ExpressionNode;
import java.util.Optional;

/// An expression as a tree of nodes.
///
/// @param slots number of local variables
/// @param fault error of a constant part that makes every evaluation fail
record LoweredExpression(ExpressionNode root, int slots, Optional<String> fault) {}
