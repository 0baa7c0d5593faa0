package dev.berth.control.schedule;

import java.time.Instant;

/// The time of the current step of a scheduler. Belongs to the scheduler's thread.
final class StepTime {

    private Instant now = Instant.EPOCH;

    Instant now() {
        return now;
    }

    void advanceTo(Instant time) {
        now = time;
    }
}
