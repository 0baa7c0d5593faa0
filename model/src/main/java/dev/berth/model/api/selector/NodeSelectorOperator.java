package dev.berth.model.api.selector;

import dev.berth.model.api.meta.OpenEnum;
import java.util.Collection;
import java.util.Optional;

/// How a node selector or label selector compares a label or field with its values.
public sealed interface NodeSelectorOperator extends OpenEnum {

    /// Values known to this version.
    enum Known implements NodeSelectorOperator {
        IN("In"),
        NOT_IN("NotIn"),
        EXISTS("Exists"),
        DOES_NOT_EXIST("DoesNotExist"),
        GT("Gt"),
        LT("Lt");

        private final String text;

        Known(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }

        @Override
        public boolean matches(Optional<String> actual, Collection<String> values) {
            return switch (this) {
                case IN -> actual.filter(values::contains).isPresent();
                case NOT_IN -> actual.filter(values::contains).isEmpty();
                case EXISTS -> actual.isPresent();
                case DOES_NOT_EXIST -> actual.isEmpty();
                case GT -> compares(actual, values, 1);
                case LT -> compares(actual, values, -1);
            };
        }

        private static boolean compares(
                Optional<String> actual, Collection<String> bounds, int sign) {
            if (actual.isEmpty() || bounds.size() != 1) {
                return false;
            }
            try {
                var bound = Long.parseLong(bounds.iterator().next());
                return Long.compare(Long.parseLong(actual.get()), bound) == sign;
            } catch (NumberFormatException _) {
                return false;
            }
        }
    }

    /// An unknown operator, or none; a selector with it is malformed.
    record Unrecognised(String text) implements NodeSelectorOperator {

        @Override
        public boolean matches(Optional<String> actual, Collection<String> values) {
            return false;
        }
    }

    /// Whether a label or field satisfies a requirement with this operator. An absent label
    /// satisfies `NotIn` and `DoesNotExist` only.
    ///
    /// @param actual value of the label; empty if the object does not have the label
    /// @param values of the requirement
    boolean matches(Optional<String> actual, Collection<String> values);

    static NodeSelectorOperator of(String text) {
        return OpenEnum.of(Known.values(), text, Unrecognised::new);
    }

    /// The operator of a label selector in the field of an object, which cannot compare integers.
    static NodeSelectorOperator setBased(String text) {
        var operator = of(text);
        return operator == Known.GT || operator == Known.LT ? new Unrecognised(text) : operator;
    }
}
