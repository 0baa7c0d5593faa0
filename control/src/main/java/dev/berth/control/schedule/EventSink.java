package dev.berth.control.schedule;

import dev.berth.model.api.Pod;

/// Where the scheduler tells what happened to pods. Must return at once.
@FunctionalInterface
public interface EventSink {

    /// Tells nobody.
    EventSink NONE = (_, _) -> {};

    void record(Pod pod, Event event);

    /// What happened.
    ///
    /// @param isWarning whether somebody should look at it
    /// @param reason a word in CamelCase
    record Event(boolean isWarning, String reason, String action, String text) {

        static Event normal(String reason, String action, String text) {
            return new Event(false, reason, action, text);
        }

        static Event warning(String reason, String action, String text) {
            return new Event(true, reason, action, text);
        }
    }
}
