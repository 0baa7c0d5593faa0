package dev.berth.model.api;

/// How a node selector compares a label or field with its values.
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
    }

    /// An unknown operator, or none; a selector with it is malformed.
    record Unrecognised(String text) implements NodeSelectorOperator {}

    static NodeSelectorOperator of(String text) {
        return OpenEnum.of(Known.values(), text, Unrecognised::new);
    }
}
