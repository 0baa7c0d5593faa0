package dev.berth.node.driver;

import dev.berth.model.workqueue.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Rate limit for restoring slices that another client keeps deleting or changing: a few
/// restorations at once, then exponential back-off. Without it both clients would write as fast as
/// they can.
///
/// Not thread-safe.
final class RestoreLimit {

    /// Restorations without a delay.
    private static final int FREE = 5;

    /// The count restarts after this time without a restoration.
    private static final Duration MEMORY = Duration.ofMinutes(2);

    private static final Backoff BACKOFF =
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private Optional<Object> written = Optional.empty();
    private Instant last = Instant.EPOCH;
    private int restorations;

    /// Delay before the next write; zero if it may be made now.
    ///
    /// @param desired the state to write; a state that differs from the last one is not delayed
    Duration delay(Object desired, Instant now) {
        if (!written.equals(Optional.of(desired)) || last.plus(MEMORY).isBefore(now)) {
            restorations = 0;
        }
        if (restorations <= FREE) {
            return Duration.ZERO;
        }
        var due = last.plus(BACKOFF.after(restorations - FREE));
        return due.isAfter(now) ? Duration.between(now, due) : Duration.ZERO;
    }

    /// Records that the desired state is being written.
    void wrote(Object desired, Instant now) {
        written = Optional.of(desired);
        last = now;
        restorations++;
    }
}
