package dev.berth.server.http;

import dev.berth.server.registry.Failure;
import java.util.concurrent.Semaphore;

/// How much is done at the same time.
///
/// @param bodyBytes the largest body
public record Limits(int reads, int writes, int watches, int bodyBytes, int headerBytes) {

    /// What Kubernetes uses, where it has a number.
    public static final Limits DEFAULT = new Limits(400, 200, 10_000, 3 * 1024 * 1024, 32 * 1024);

    private static final int RETRY_AFTER_SECONDS = 1;

    /// Places that are taken and given back.
    static final class Places {
        private final Semaphore reads;
        private final Semaphore writes;
        private final Semaphore watches;

        Places(Limits limits) {
            reads = new Semaphore(limits.reads);
            writes = new Semaphore(limits.writes);
            watches = new Semaphore(limits.watches);
        }

        /// A place for a request, or a refusal that says when to come again.
        Place take(boolean reading) {
            return take(reading ? reads : writes, "requests");
        }

        Place takeWatch() {
            return take(watches, "watches");
        }

        private static Place take(Semaphore places, String what) {
            if (!places.tryAcquire()) {
                throw Failure.tooManyRequests(
                                "the server has too many %s at once; try again later"
                                        .formatted(what),
                                RETRY_AFTER_SECONDS)
                        .refused();
            }
            return places::release;
        }
    }

    /// A place that is taken until it is closed.
    @FunctionalInterface
    interface Place extends AutoCloseable {
        @Override
        void close();
    }
}
