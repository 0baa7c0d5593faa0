package dev.berth.model.event;

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

    private static final String ELLIPSIS = "…";
    private static final int ELLIPSIS_BYTES = 3;

    public Event {
        message = truncated(message);
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

    private static String truncated(String text) {
        var bytes = 0;
        var end = 0;
        for (var at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            if (bytes <= MAX_BYTES - ELLIPSIS_BYTES) {
                end = at;
            }
            bytes += bytes(text.codePointAt(at));
        }
        return bytes <= MAX_BYTES ? text : text.substring(0, end) + ELLIPSIS;
    }

    private static int bytes(int codePoint) {
        if (codePoint < 0x80) {
            return 1;
        }
        return codePoint < 0x800 ? 2 : Character.isBmpCodePoint(codePoint) ? 3 : 4;
    }
}
