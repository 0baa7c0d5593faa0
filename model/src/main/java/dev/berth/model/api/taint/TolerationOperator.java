package dev.berth.model.api.taint;

import dev.berth.model.api.meta.OpenEnum;

/// Operator of a toleration.
public sealed interface TolerationOperator extends OpenEnum {

    /// Values known to this version.
    enum Known implements TolerationOperator {
        /// Absent, which means `EQUAL`.
        UNSET(""),
        EQUAL("Equal"),
        EXISTS("Exists");

        private final String text;

        Known(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /// An unknown operator; it matches nothing.
    record Unrecognised(String text) implements TolerationOperator {}

    static TolerationOperator of(String text) {
        return OpenEnum.of(Known.values(), text, Unrecognised::new);
    }

    /// Whether a toleration with this operator, key and value matches a taint's key and value. An
    /// empty key matches all keys.
    default boolean matches(String key, String value, String taintKey, String taintValue) {
        if (!key.isEmpty() && !key.equals(taintKey)) {
            return false;
        }
        return switch (this) {
            case Known known ->
                    switch (known) {
                        case EXISTS -> true;
                        case EQUAL, UNSET -> value.equals(taintValue);
                    };
            case Unrecognised _ -> false;
        };
    }
}
