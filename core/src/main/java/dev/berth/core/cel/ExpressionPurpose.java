package dev.berth.core.cel;

/// Purpose of an expression, which determines its result type.
public enum ExpressionPurpose {
    /// Device selector: returns a boolean.
    SELECTOR,
    /// Derived attribute: returns a scalar or a list of scalars.
    DERIVED
}
