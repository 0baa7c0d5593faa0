package dev.berth.model.json;

/// Limits of parsing, against resource exhaustion by hostile input.
final class ParserLimits {

    /// Maximum nesting. The deepest Kubernetes kind has about twenty levels.
    static final int MAX_DEPTH = 200;

    /// Maximum number of values; each YAML alias counts with all its content.
    static final int MAX_VALUES = 5_000_000;

    /// Maximum number of values added by YAML aliases, against exponential expansion.
    static final int MAX_ALIASED = 500_000;

    /// Number of characters of a scalar that count as one value.
    static final int CHARACTERS_PER_VALUE = 16;

    /// Maximum length of a name.
    static final int MAX_NAME = 50_000;

    /// Maximum length of a string.
    static final int MAX_STRING = 20_000_000;

    private ParserLimits() {}

    /// Thrown while building a tree, and turned into [ParseResult.Malformed] by the reader.
    static final class BrokenText extends RuntimeException {
        private static final long serialVersionUID = 1;

        final int line;
        final int column;

        BrokenText(String message, int line, int column) {
            super(message, null, false, false);
            this.line = line;
            this.column = column;
        }
    }
}
