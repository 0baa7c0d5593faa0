package dev.berth.node.driver;

import dev.berth.client.workqueue.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Slows down the restoration of slices that another client keeps deleting or changing: a few times
/// at once, then with exponential back-off. Without it both would write as fast as they can.
///
/// Use it from one thread.
final class RestoreLimit {

    /// Restorations without a delay.
    private static final int FREE = 5;

    /// After so long without a restoration the count starts anew.
    private static final Duration MEMORY = Duration.ofMinutes(2);

    private static final Backoff PACE = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private Optional<Object> written = Optional.empty();
    private Instant last = Instant.EPOCH;
    private int restorations;

    /// How long the next write has to wait; zero when it may be made now.
    ///
    /// @param desired what is to be written; anything new may be written at once
    Duration delay(Object desired, Instant now) {
        if (!written.equals(Optional.of(desired)) || last.plus(MEMORY).isBefore(now)) {
            restorations = 0;
        }
        if (restorations <= FREE) {
            return Duration.ZERO;
        }
        var due = last.plus(PACE.after(restorations - FREE));
        return due.isAfter(now) ? Duration.between(now, due) : Duration.ZERO;
    }

    /// The desired state is being written.
    void wrote(Object desired, Instant now) {
        written = Optional.of(desired);
        last = now;
        restorations++;
    }
}
