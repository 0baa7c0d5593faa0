package dev.berth.core.cel;

import dev.berth.model.api.meta.QualifiedName;

/// A part of an expression that works only for attributes of certain types: a comparison with a
/// value, or a call of a method of the attribute.
///
/// @param operation `==`, `in`, `matches()`
/// @param type type that the attribute must have
/// @param literal the other operand as written in CEL; empty if it is no literal
public record AttributeComparison(
        QualifiedName attribute, String operation, AttributeType type, String literal) {

    /// The types of attributes that expressions can distinguish.
    public enum AttributeType {
        STRING("string"),
        NUMBER("int"),
        BOOL("bool"),
        VERSION("version"),
        /// A type that no attribute has.
        QUANTITY("quantity");

        private final String text;

        AttributeType(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /// Whether the operation is a call of a method.
    public boolean isCall() {
        return operation.endsWith("()");
    }
}
