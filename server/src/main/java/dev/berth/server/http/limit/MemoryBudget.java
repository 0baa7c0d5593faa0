package dev.berth.server.http.limit;

import dev.berth.server.registry.ApiError;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Memory budget for request bodies and unread responses of all requests together.
public final class MemoryBudget {

    private static final int UNIT_BYTES = 1024;

    private final int units;
    private final Semaphore free;
    private final Duration timeout;

    /// @param timeout how long a request waits for memory
    public MemoryBudget(long bytes, Duration timeout) {
        this.units = Math.clamp(bytes / UNIT_BYTES, 1, Integer.MAX_VALUE);
        this.free = new Semaphore(units);
        this.timeout = timeout;
    }

    /// The share of one request, released as a whole.
    public final class Share implements AutoCloseable {
        private int held;

        /// Grows to a number of bytes, but not beyond the whole budget.
        ///
        /// @throws dev.berth.server.registry.ApiException when no memory is released within the
        ///   timeout
        public void growTo(long bytes) {
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

    public Share share() {
        return new Share();
    }

    private void acquire(int more) {
        try {
            if (free.tryAcquire(more)
                    || free.tryAcquire(more, timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiError.unavailable("the server is stopping").exception();
        }
        throw ApiError.tooManyRequests(
                        "the memory for requests is in use; try again later",
                        Seats.RETRY_AFTER_SECONDS)
                .exception();
    }
}
