package dev.berth.model.codec.record;

import dev.berth.model.json.FieldPath;

/// A problem of decoding an API object.
public sealed interface DecodingProblem {

    /// The path of the value; the root for the whole text.
    FieldPath path();

    /// The message; for unknown and duplicate fields that of Kubernetes.
    String message();

    /// An unknown field. An error only in strict decoding.
    record UnknownField(FieldPath path) implements DecodingProblem {
        @Override
        public String message() {
            return "unknown field \"" + path + "\"";
        }
    }

    /// A duplicate field. An error only in strict decoding.
    record DuplicateField(FieldPath path) implements DecodingProblem {
        @Override
        public String message() {
            return "duplicate field \"" + path + "\"";
        }
    }

    /// A value of a wrong JSON type, such as `string "abc"` instead of an `int64`.
    record WrongType(FieldPath path, String expected, String found) implements DecodingProblem {
        @Override
        public String message() {
            return path + ": expected " + expected + ", found " + found;
        }
    }

    /// A number with a fraction, or out of range.
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

    /// The text is not JSON; line and column start at one.
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

    /// The object declares another kind or an unknown version.
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

    /// True for problems that lenient decoding ignores.
    default boolean isTolerable() {
        return this instanceof UnknownField || this instanceof DuplicateField;
    }
}
