package dev.berth.model.api.pod;

import dev.berth.model.api.meta.OpenEnum;

/// Phase of a pod.
public sealed interface PodPhase extends OpenEnum {

    /// Values known to this version.
    enum Known implements PodPhase {
        /// Not reported yet.
        UNSET(""),
        PENDING("Pending"),
        RUNNING("Running"),
        SUCCEEDED("Succeeded"),
        FAILED("Failed"),
        /// The node does not respond.
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

    /// An unknown phase.
    record Unrecognised(String text) implements PodPhase {}

    static PodPhase of(String text) {
        return OpenEnum.of(Known.values(), text, Unrecognised::new);
    }
}
