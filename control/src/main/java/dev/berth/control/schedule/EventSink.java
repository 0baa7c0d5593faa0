package dev.berth.control.schedule;

import dev.berth.model.api.Pod;

/// Where the scheduler tells what happened to pods. Must return at once.
@FunctionalInterface
public interface EventSink {

    /// Tells nobody.
    EventSink NONE = (_, _) -> {};

    void tell(Pod about, Note note);

    /// What happened.
    ///
    /// @param isWarning whether somebody should look at it
    /// @param reason a word in CamelCase
    record Note(boolean isWarning, String reason, String action, String text) {

        static Note normal(String reason, String action, String text) {
            return new Note(false, reason, action, text);
        }

        static Note warning(String reason, String action, String text) {
            return new Note(true, reason, action, text);
        }
    }
}
