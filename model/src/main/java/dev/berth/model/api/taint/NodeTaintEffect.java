package dev.berth.model.api.taint;

import dev.berth.model.api.meta.OpenEnum;

/// Effect of a node taint on pods that do not tolerate it.
public sealed interface NodeTaintEffect extends OpenEnum {

    /// Values known to this version.
    enum Known implements NodeTaintEffect {
        NO_SCHEDULE("NoSchedule"),
        PREFER_NO_SCHEDULE("PreferNoSchedule"),
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

    /// An unknown effect, or none.
    record Unrecognised(String text) implements NodeTaintEffect {}

    static NodeTaintEffect of(String text) {
        return OpenEnum.of(Known.values(), text, Unrecognised::new);
    }
}
