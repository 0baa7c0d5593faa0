package dev.berth.model.api;

/// What to do with a pod that would make a spread uneven.
public sealed interface UnsatisfiableConstraintAction extends OpenEnum {

    /// The words that this version knows.
    enum Known implements UnsatisfiableConstraintAction {
        DO_NOT_SCHEDULE("DoNotSchedule"),
        /// Prefer nodes where it is less uneven.
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

    /// A word of a newer API, or none.
    record Unrecognised(String text) implements UnsatisfiableConstraintAction {}

    static UnsatisfiableConstraintAction of(String text) {
        return OpenEnum.of(Known.values(), text, Unrecognised::new);
    }
}
