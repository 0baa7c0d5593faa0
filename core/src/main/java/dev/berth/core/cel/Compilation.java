package dev.berth.core.cel;

import java.util.Optional;

/// Result of compiling an expression.
public sealed interface Compilation {

    record Compiled(CheckedExpression expression) implements Compilation {}

    /// The expression was rejected.
    ///
    /// @param detail error message of the API, one paragraph per error
    /// @param position position of the first error that has one
    record Rejected(Kind kind, String detail, Optional<ExpressionPosition> position)
            implements Compilation {}

    /// Kind of rejection; determines the type of the field error.
    enum Kind {
        /// The expression is invalid.
        INVALID,
        /// The expression may be valid, but the compiler failed on it.
        INTERNAL
    }
}
