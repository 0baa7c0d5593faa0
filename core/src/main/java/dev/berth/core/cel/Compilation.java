package dev.berth.core.cel;

import java.util.Optional;

/// The outcome of compiling an expression.
public sealed interface Compilation {

    record Compiled(CheckedExpression expression) implements Compilation {}

    /// The expression cannot be used.
    ///
    /// @param detail the text that the API shows, one paragraph an error
    /// @param position of the first error that has one
    record Rejected(Kind kind, String detail, Optional<ExpressionPosition> position)
            implements Compilation {}

    /// Whose fault a rejection is.
    enum Kind {
        /// The author's: the expression is wrong.
        INVALID,
        /// Ours: the expression may be right, but it could not be handled.
        INTERNAL
    }
}
