package dev.berth.model.json;

/// How large a text may grow when it is read: a hostile one must not cost more than it is worth.
final class ParserLimits {

    /// Deeper nesting is refused. The deepest Kubernetes kind has about twenty levels.
    static final int MAX_DEPTH = 200;

    /// More values than this are refused, each alias of YAML counted with all that it stands for.
    static final int MAX_VALUES = 5_000_000;

    /// What aliases of YAML may add to a text, in values: nobody means that much by accident.
    static final int MAX_ALIASED = 500_000;

    /// How long a text may be to count as one value.
    static final int CHARACTERS_PER_VALUE = 16;

    /// A longer name is refused.
    static final int MAX_NAME = 50_000;

    /// A longer string is refused.
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
