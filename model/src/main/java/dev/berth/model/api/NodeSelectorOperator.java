package dev.berth.model.api;

/// How a node selector compares a label or field with its values.
public sealed interface NodeSelectorOperator {

    /// The words that this version knows.
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
    }

    /// An operator of a newer API, or none; a selector with it is malformed.
    record Unrecognised(String text) implements NodeSelectorOperator {}

    /// The word as the API spells it.
    String text();

    static NodeSelectorOperator of(String text) {
        for (var known : Known.values()) {
            if (known.text.equals(text)) {
                return known;
            }
        }
        return new Unrecognised(text);
    }
}
