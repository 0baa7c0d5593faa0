package dev.berth.client.config;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A value in a file that is renewed by others, such as a projected token; reloaded periodically.
///
/// When the file cannot be read the last value is kept: it may still be valid, and a file that is
/// being replaced is missing for a moment.
final class ReloadedFile<T> {

    /// How long a value is used before it is read again.
    static final Duration PERIOD = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(ReloadedFile.class);

    private final Clock clock;
    private final Supplier<T> source;

    // Guarded by this.
    private Optional<T> last = Optional.empty();
    private Instant until = Instant.MIN;

    ReloadedFile(Clock clock, Supplier<T> source) {
        this.clock = clock;
        this.source = source;
    }

    synchronized T value() {
        var now = clock.instant();
        if (last.isPresent() && now.isBefore(until)) {
            return last.get();
        }
        try {
            last = Optional.of(source.get());
        } catch (ConfigException e) {
            LOG.warn("reading credentials failed, using the previous ones: {}", e.getMessage());
            if (last.isEmpty()) {
                throw e;
            }
        }
        until = now.plus(PERIOD);
        return last.orElseThrow();
    }

    synchronized void expire() {
        until = Instant.MIN;
    }
}
