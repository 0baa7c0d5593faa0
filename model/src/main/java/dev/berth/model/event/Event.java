package dev.berth.model.event;

import dev.berth.model.text.Utf8Text;

/// An event as a component reports it.
///
/// @param reason machine-readable, in CamelCase
/// @param action what the component did or tried, in CamelCase; empty for `core/v1`
/// @param message at most [#MAX_BYTES] bytes in UTF-8
public record Event(
        EventSource source,
        InvolvedObject object,
        EventType type,
        String reason,
        String action,
        String message) {

    /// Limit of the API server for the message of an event.
    public static final int MAX_BYTES = 1_024;

    public Event {
        message = Utf8Text.cut(message, MAX_BYTES);
    }

    public static Event normal(
            EventSource source, InvolvedObject object, String reason, String message) {
        return new Event(source, object, EventType.NORMAL, reason, "", message);
    }

    public static Event warning(
            EventSource source, InvolvedObject object, String reason, String message) {
        return new Event(source, object, EventType.WARNING, reason, "", message);
    }

    Event withMessage(String newMessage) {
        return new Event(source, object, type, reason, action, newMessage);
    }

    /// The namespace of the event object.
    public String namespace() {
        return object.namespace().isEmpty() ? "default" : object.namespace();
    }
}
