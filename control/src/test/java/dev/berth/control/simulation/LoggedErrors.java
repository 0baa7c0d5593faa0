package dev.berth.control.simulation;

import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Collects exceptions that components caught and logged: they are bugs all the same. A [Crash] is
/// not collected: the component that logged it has ended.
final class LoggedErrors extends Handler implements AutoCloseable {

    private final Logger logger = Logger.getLogger("dev.berth");
    private @Nullable LogRecord first;

    LoggedErrors() {
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    @Override
    public void publish(LogRecord event) {
        var thrown = event.getThrown();
        if (first == null && thrown != null && !(thrown instanceof Crash)) {
            first = event;
        }
    }

    /// The first exception since the last call.
    Optional<Throwable> next() {
        var thrown = Optional.ofNullable(first).map(LogRecord::getThrown);
        first = null;
        return thrown;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
