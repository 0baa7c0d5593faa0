package dev.berth.server.http;

import dev.berth.server.registry.ApiError;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Memory for bodies of requests and for answers that clients have not read, of all requests
/// together.
final class MemoryBudget {

    private static final int UNIT_BYTES = 1024;

    private final int units;
    private final Semaphore free;
    private final Duration patience;

    /// @param patience how long a request waits for memory
    MemoryBudget(long bytes, Duration patience) {
        this.units = Math.clamp(bytes / UNIT_BYTES, 1, Integer.MAX_VALUE);
        this.free = new Semaphore(units);
        this.patience = patience;
    }

    /// The part of one request, given back all at once.
    final class Share implements AutoCloseable {
        private int held;

        /// Grows to so many bytes, but not beyond the whole budget.
        ///
        /// @throws dev.berth.server.registry.ApiException when others hold the memory for too long
        void growTo(long bytes) {
            var wanted = (int) Math.min(units, (bytes + UNIT_BYTES - 1) / UNIT_BYTES);
            if (wanted > held) {
                acquire(wanted - held);
                held = wanted;
            }
        }

        @Override
        public void close() {
            free.release(held);
            held = 0;
        }
    }

    Share share() {
        return new Share();
    }

    private void acquire(int more) {
        try {
            if (free.tryAcquire(more)
                    || free.tryAcquire(more, patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiError.unavailable("the server is stopping").exception();
        }
        throw ApiError.tooManyRequests(
                        "the memory for requests is in use; try again later",
                        ResponseWriter.RETRY_AFTER_SECONDS)
                .exception();
    }
}
