package dev.berth.client.http;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Reports connection problems: at once, when they change, and once a minute while they last; and
/// their end.
final class ProblemReports {

    static final Duration INTERVAL = Duration.ofMinutes(1);

    private final Consumer<String> receiver;
    private final LongSupplier nanos;

    // Written with the lock of this.
    private volatile Optional<Reported> last = Optional.empty();

    private record Reported(String line, long atNanos) {}

    ProblemReports(Consumer<String> receiver, LongSupplier nanos) {
        this.receiver = receiver;
        this.nanos = nanos;
    }

    /// Problems without a remedy are transient and concern one request: not reported.
    void failed(ConnectionProblem problem) {
        if (!problem.remedy().isEmpty() && isDue(problem.line())) {
            receiver.accept(problem.line());
        }
    }

    private synchronized boolean isDue(String line) {
        var now = nanos.getAsLong();
        if (last.filter(one -> one.line.equals(line))
                .filter(one -> now - one.atNanos < INTERVAL.toNanos())
                .isPresent()) {
            return false;
        }
        last = Optional.of(new Reported(line, now));
        return true;
    }

    /// The server responded.
    ///
    /// @param server its address
    void succeeded(Object server) {
        // Without a lock in the usual case: this is called for every response.
        if (last.isPresent() && isOver()) {
            receiver.accept("the API server at %s responds".formatted(server));
        }
    }

    private synchronized boolean isOver() {
        var wasReported = last.isPresent();
        last = Optional.empty();
        return wasReported;
    }
}
