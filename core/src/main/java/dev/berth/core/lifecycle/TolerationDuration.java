package dev.berth.core.lifecycle;

import java.time.Instant;
import java.util.OptionalLong;

/// How long somebody puts up with a taint.
final class TolerationDuration {

    private TolerationDuration() {}

    /// The shorter of two times; none counts as endless.
    ///
    /// @param granted in seconds; a negative number counts as 0
    static OptionalLong shorter(OptionalLong seconds, long granted) {
        var one = Math.max(0, granted);
        return OptionalLong.of(Math.min(one, seconds.orElse(one)));
    }

    /// So many seconds later; the latest time that there is when that would be after it.
    static Instant after(Instant added, long seconds) {
        return seconds > Instant.MAX.getEpochSecond() - added.getEpochSecond()
                ? Instant.MAX
                : added.plusSeconds(seconds);
    }
}
