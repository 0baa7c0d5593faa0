package dev.berth.model.api.pod;

import dev.berth.model.api.meta.OpenEnum;

/// Action for a pod that violates a topology spread constraint (`whenUnsatisfiable`).
public sealed interface UnsatisfiableConstraintAction extends OpenEnum {

    /// Values known to this version.
    enum Known implements UnsatisfiableConstraintAction {
        DO_NOT_SCHEDULE("DoNotSchedule"),
        /// Prefer nodes with less skew.
        SCHEDULE_ANYWAY("ScheduleAnyway");

        private final String text;

        Known(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /// An unknown value, or none.
    record Unrecognised(String text) implements UnsatisfiableConstraintAction {}

    static UnsatisfiableConstraintAction of(String text) {
        return OpenEnum.of(Known.values(), text, Unrecognised::new);
    }
}
