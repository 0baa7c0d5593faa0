package dev.berth.model.api;

/// How far a pod has come.
public sealed interface PodPhase extends OpenEnum {

    /// The words that this version knows.
    enum Known implements PodPhase {
        /// Not reported yet.
        UNSET(""),
        PENDING("Pending"),
        RUNNING("Running"),
        SUCCEEDED("Succeeded"),
        FAILED("Failed"),
        /// The node does not answer.
        UNKNOWN("Unknown");

        private final String text;

        Known(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /// A phase of a newer API.
    record Unrecognised(String text) implements PodPhase {}

    static PodPhase of(String text) {
        return OpenEnum.of(Known.values(), text, Unrecognised::new);
    }
}
