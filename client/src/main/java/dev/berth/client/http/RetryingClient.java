package dev.berth.client.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.random.RandomGenerator;

/// Sends requests, and retries them as `Retry-After` of a busy server demands.
final class RetryingClient {

    /// Attempts for a request.
    private static final int MAX_ATTEMPTS = 6;

    /// Limit of concurrent requests; others wait.
    private static final int MAX_CONCURRENT = 256;

    private final ApiConnection connection;
    private final Duration timeout;
    private final RandomGenerator random;
    private final Semaphore permits = new Semaphore(MAX_CONCURRENT);

    /// @param timeout total time to wait for a busy server
    /// @param random jitter, so that rejected clients do not return at the same time
    RetryingClient(ApiConnection connection, Duration timeout, RandomGenerator random) {
        this.connection = connection;
        this.timeout = timeout;
        this.random = random;
    }

    ApiResponse<byte[]> exchange(HttpCall call) throws IOException, InterruptedException {
        permits.acquire();
        try {
            var left = timeout;
            for (var attempt = 1; ; attempt++) {
                var response = connection.exchange(call);
                var retryAfter = ApiResponses.retryAfter(response);
                if (retryAfter.isEmpty()
                        || attempt == MAX_ATTEMPTS
                        || retryAfter.get().compareTo(left) > 0) {
                    return response;
                }
                left = left.minus(retryAfter.get());
                var jitter = (long) (retryAfter.get().toMillis() * random.nextDouble() / 2);
                Thread.sleep(retryAfter.get().plusMillis(jitter));
            }
        } finally {
            permits.release();
        }
    }
}
