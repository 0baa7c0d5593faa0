package dev.berth.model.api.taint;

import dev.berth.model.api.meta.OpenEnum;

/// Effect of a device taint on claims that do not tolerate it.
public sealed interface TaintEffect extends OpenEnum {

    /// Values known to this version.
    enum Known implements TaintEffect {
        /// No effect; the taint is informational.
        NONE("None"),
        /// The device is not allocated.
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

    /// An unknown effect, or none; the API requires that it is treated as [Known#NONE].
    record Unrecognised(String text) implements TaintEffect {}

    static TaintEffect of(String text) {
        return OpenEnum.of(Known.values(), text, Unrecognised::new);
    }
}
