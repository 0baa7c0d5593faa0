package dev.berth.core.cel;

/// What an expression is for; it decides what the expression may return.
public enum ExpressionPurpose {
    /// Picks devices: returns a boolean.
    SELECTOR,
    /// Computes an attribute that nobody published: returns a scalar or a list of scalars.
    DERIVED
}
