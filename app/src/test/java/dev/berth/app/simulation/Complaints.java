package dev.berth.app.simulation;

import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Listens to the log for failures that components survived: they are mistakes all the same. A
/// [Crash] is none: the component that logged it has ended.
final class Complaints extends Handler implements AutoCloseable {

    private final Logger logger = Logger.getLogger("dev.berth");
    private @Nullable LogRecord first;

    Complaints() {
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

    /// What was complained of since the last time.
    Optional<Throwable> next() {
        var told = Optional.ofNullable(first).map(LogRecord::getThrown);
        first = null;
        return told;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
