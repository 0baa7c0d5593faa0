package dev.berth.core.cel;

/// A place in the text of an expression; lines and columns count from one.
public record ExpressionPosition(int line, int column) {}
