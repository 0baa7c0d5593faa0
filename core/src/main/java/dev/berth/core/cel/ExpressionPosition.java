package dev.berth.core.cel;

/// A position in the source of an expression; lines and columns count from one.
public record ExpressionPosition(int line, int column) {}
