package dev.berth.model.api.slice;

import dev.berth.model.api.meta.OpenEnum;

/// A call of the kubelet to the driver that its devices do not need.
public sealed interface SkipNodeOperation extends OpenEnum {

    /// Values known to this version.
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

    /// An unknown call; the API requires that it is ignored.
    record Unrecognised(String text) implements SkipNodeOperation {}

    static SkipNodeOperation of(String text) {
        return OpenEnum.of(Known.values(), text, Unrecognised::new);
    }
}
