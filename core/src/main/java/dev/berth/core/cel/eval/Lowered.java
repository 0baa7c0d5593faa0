package dev.berth.core.cel.eval;

import java.util.Optional;

/// An expression as nodes.
///
/// @param slots how many local variables it has
/// @param fault why it can never be evaluated
record Lowered(Node root, int slots, Optional<String> fault) {}
