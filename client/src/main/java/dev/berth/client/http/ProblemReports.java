package dev.berth.client.http;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Reports problems of a connection: at once, when they change, and once a minute while they last;
/// and their end.
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

    /// Problems without a remedy are those of a moment, and of one request: not reported.
    void failed(ConnectionProblem problem) {
        if (!problem.remedy().isEmpty() && isNews(problem.line())) {
            receiver.accept(problem.line());
        }
    }

    private synchronized boolean isNews(String line) {
        var now = nanos.getAsLong();
        if (last.filter(one -> one.line.equals(line))
                .filter(one -> now - one.atNanos < INTERVAL.toNanos())
                .isPresent()) {
            return false;
        }
        last = Optional.of(new Reported(line, now));
        return true;
    }

    /// The server answered.
    ///
    /// @param server its address
    void answered(Object server) {
        // Without a lock in the usual case: this is called for every answer.
        if (last.isPresent() && isOver()) {
            receiver.accept("the API server at %s answers".formatted(server));
        }
    }

    private synchronized boolean isOver() {
        var wasReported = last.isPresent();
        last = Optional.empty();
        return wasReported;
    }
}
