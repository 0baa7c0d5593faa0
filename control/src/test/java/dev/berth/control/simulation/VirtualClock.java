package dev.berth.control.simulation;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/// A clock that stands still until it is set.
final class VirtualClock extends Clock {

    static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private Instant now = START;

    void set(Instant time) {
        now = time;
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
