package dev.berth.core.lifecycle;

import java.time.Instant;
import java.util.OptionalLong;

/// Arithmetic of `tolerationSeconds`.
final class TolerationDuration {

    private TolerationDuration() {}

    /// The shorter of two durations; an absent one is infinite.
    ///
    /// @param granted in seconds; a negative number counts as 0
    static OptionalLong shorter(OptionalLong seconds, long granted) {
        var one = Math.max(0, granted);
        return OptionalLong.of(Math.min(one, seconds.orElse(one)));
    }

    /// The time plus seconds, clamped to [Instant#MAX].
    static Instant after(Instant added, long seconds) {
        return seconds > Instant.MAX.getEpochSecond() - added.getEpochSecond()
                ? Instant.MAX
                : added.plusSeconds(seconds);
    }
}
