package dev.berth.model.event;

import java.time.Instant;

/// The state of an event object after correlation, to be written: created while [#count] is 1, else
/// patched.
///
/// @param name of the event object
/// @param first time of the first occurrence
/// @param last time of the last occurrence
/// @param count number of occurrences so far
/// @param hasNewMessage whether the message differs from that of the occurrence before
public record CorrelatedEvent(
        Event event, String name, Instant first, Instant last, long count, boolean hasNewMessage) {

    CorrelatedEvent repeated(Event newest, Instant now) {
        return new CorrelatedEvent(
                newest, name, first, now, count + 1, !newest.message().equals(event.message()));
    }

    CorrelatedEvent counted(Instant now) {
        return new CorrelatedEvent(event, name, first, now, count + 1, false);
    }
}
