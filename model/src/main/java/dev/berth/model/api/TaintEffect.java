package dev.berth.model.api;

/// What a device taint does to claims that do not tolerate it.
public sealed interface TaintEffect extends OpenEnum {

    /// The words that this version knows.
    enum Known implements TaintEffect {
        /// Nothing: the taint only informs.
        NONE("None"),
        /// The device is not allocated any more.
        NO_SCHEDULE("NoSchedule"),
        /// As `NO_SCHEDULE`, and pods that use the device are evicted.
        NO_EXECUTE("NoExecute");

        private final String text;

        Known(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /// An effect of a newer API, or none; the API wants it treated as [Known#NONE].
    record Unrecognised(String text) implements TaintEffect {}

    static TaintEffect of(String text) {
        return OpenEnum.of(Known.values(), text, Unrecognised::new);
    }
}
