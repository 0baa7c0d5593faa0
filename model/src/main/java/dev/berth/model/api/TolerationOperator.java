package dev.berth.model.api;

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
}
