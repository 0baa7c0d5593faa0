package dev.berth.server.http.limit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/// Logs at most one line per second, without stack traces, for events that clients can cause at any
/// rate.
public final class ThrottledLog {

    private static final long PERIOD_NANOS = 1_000_000_000L;

    private final Logger log;
    private final Level level;
    private final AtomicLong lastNanos = new AtomicLong(System.nanoTime() - PERIOD_NANOS);
    private final AtomicLong suppressed = new AtomicLong();

    public ThrottledLog(Logger log, Level level) {
        this.log = log;
        this.level = level;
    }

    /// Logs a message unless another one was logged within the last second.
    ///
    /// @param message computed only when it is logged
    public void log(Supplier<String> message) {
        var now = System.nanoTime();
        var last = lastNanos.get();
        if (now - last < PERIOD_NANOS || !lastNanos.compareAndSet(last, now)) {
            suppressed.incrementAndGet();
            return;
        }
        var others = suppressed.getAndSet(0);
        var text = message.get();
        log.atLevel(level).log(others == 0 ? text : text + " (and " + others + " more like this)");
    }
}
