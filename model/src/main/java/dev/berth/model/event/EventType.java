package dev.berth.model.event;

/// The type of an event.
public enum EventType {
    NORMAL("Normal"),
    WARNING("Warning");

    private final String text;

    EventType(String text) {
        this.text = text;
    }

    /// The value in API objects.
    public String text() {
        return text;
    }
}
