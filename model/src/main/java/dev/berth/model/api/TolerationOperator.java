package dev.berth.model.api;

/// How a toleration compares its value with that of a taint.
public sealed interface TolerationOperator extends OpenEnum {

    /// The words that this version knows.
    enum Known implements TolerationOperator {
        /// Left out, which means `EQUAL`.
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

    /// An operator of a newer API; it matches nothing.
    record Unrecognised(String text) implements TolerationOperator {}

    static TolerationOperator of(String text) {
        return OpenEnum.of(Known.values(), text, Unrecognised::new);
    }
}
