package dev.berth.model.api;

/// A call to the driver on the node that its devices do not need.
public sealed interface SkipNodeOperation extends OpenEnum {

    /// The words that this version knows.
    enum Known implements SkipNodeOperation {
        PREPARE("NodePrepareResources"),
        UNPREPARE("NodeUnprepareResources"),
        ALL("*");

        private final String text;

        Known(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /// A call of a newer API; the API wants it ignored.
    record Unrecognised(String text) implements SkipNodeOperation {}

    static SkipNodeOperation of(String text) {
        return OpenEnum.of(Known.values(), text, Unrecognised::new);
    }
}
