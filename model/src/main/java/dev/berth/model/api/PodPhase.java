package dev.berth.model.api;

/// How far a pod has come.
public sealed interface PodPhase {

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

    /// The word as the API spells it.
    String text();

    static PodPhase of(String text) {
        for (var known : Known.values()) {
            if (known.text.equals(text)) {
                return known;
            }
        }
        return new Unrecognised(text);
    }
}
