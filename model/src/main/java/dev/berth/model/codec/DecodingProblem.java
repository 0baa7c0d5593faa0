package dev.berth.model.codec;

import dev.berth.model.json.FieldPath;

/// What is wrong with a text or tree that should be an object of the API.
public sealed interface DecodingProblem {

    /// Where; the root when the text as a whole is meant.
    FieldPath path();

    /// In words; for unknown and duplicate fields in those of Kubernetes.
    String message();

    /// A field that the kind does not have. Alone it only refuses an object in strict reading.
    record UnknownField(FieldPath path) implements DecodingProblem {
        @Override
        public String message() {
            return "unknown field \"" + path + "\"";
        }
    }

    /// A field that was given twice. Alone it only refuses an object in strict reading.
    record DuplicateField(FieldPath path) implements DecodingProblem {
        @Override
        public String message() {
            return "duplicate field \"" + path + "\"";
        }
    }

    /// A value of another JSON type, such as `string "abc"` where an `int64` should be.
    record WrongType(FieldPath path, String expected, String found) implements DecodingProblem {
        @Override
        public String message() {
            return path + ": expected " + expected + ", found " + found;
        }
    }

    /// A number with a fraction, or one that does not fit.
    record OutOfRange(FieldPath path, String expected, String literal) implements DecodingProblem {
        @Override
        public String message() {
            return path + ": " + literal + " is not an " + expected;
        }
    }

    record BadQuantity(FieldPath path, String text, String reason) implements DecodingProblem {
        @Override
        public String message() {
            return path + ": \"" + text + "\" is not a quantity: " + reason;
        }
    }

    record BadTime(FieldPath path, String text) implements DecodingProblem {
        @Override
        public String message() {
            return path + ": \"" + text + "\" is not a time like 2026-01-31T12:00:00Z";
        }
    }

    /// The text is not JSON at all; the place counts from one.
    record Malformed(String reason, int line, int column) implements DecodingProblem {
        @Override
        public FieldPath path() {
            return FieldPath.ROOT;
        }

        @Override
        public String message() {
            return "line " + line + ", column " + column + ": " + reason;
        }
    }

    /// The object says that it is of another kind, or of a version that is not known.
    record WrongKind(String expected, String found) implements DecodingProblem {
        @Override
        public FieldPath path() {
            return FieldPath.ROOT;
        }

        @Override
        public String message() {
            return "expected " + expected + ", found " + found;
        }
    }

    /// True for what lenient reading lets pass.
    default boolean isTolerable() {
        return this instanceof UnknownField || this instanceof DuplicateField;
    }
}
