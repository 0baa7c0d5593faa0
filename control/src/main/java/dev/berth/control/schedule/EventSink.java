package dev.berth.control.schedule;

import dev.berth.model.api.pod.Pod;

/// Receives the events of the scheduler. Must not block.
@FunctionalInterface
public interface EventSink {

    /// Discards events.
    EventSink NONE = (_, _) -> {};

    void record(Pod pod, Event event);

    /// An event of a pod.
    ///
    /// @param isWarning true for type Warning, false for Normal
    /// @param reason machine-readable, in CamelCase
    record Event(boolean isWarning, String reason, String action, String text) {

        static Event normal(String reason, String action, String text) {
            return new Event(false, reason, action, text);
        }

        static Event warning(String reason, String action, String text) {
            return new Event(true, reason, action, text);
        }
    }
}
