package dev.berth.client.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.random.RandomGenerator;

/// Asks, and asks again when a busy server says so.
final class RetryingClient {

    /// How often a request is sent in all.
    private static final int MAX_ATTEMPTS = 6;

    /// Requests at the same time; others wait their turn.
    private static final int MAX_AT_ONCE = 256;

    private final ApiConnection connection;
    private final Duration patience;
    private final RandomGenerator random;
    private final Semaphore places = new Semaphore(MAX_AT_ONCE);

    /// @param patience how long to wait for a busy server in all
    /// @param random keeps those who were sent away together from coming back together
    RetryingClient(ApiConnection connection, Duration patience, RandomGenerator random) {
        this.connection = connection;
        this.patience = patience;
        this.random = random;
    }

    ApiResponse<byte[]> ask(HttpCall call) throws IOException, InterruptedException {
        places.acquire();
        try {
            var left = patience;
            for (var attempt = 1; ; attempt++) {
                var answer = connection.ask(call);
                var pause = ApiResponses.pause(answer);
                if (pause.isEmpty() || attempt == MAX_ATTEMPTS || pause.get().compareTo(left) > 0) {
                    return answer;
                }
                left = left.minus(pause.get());
                var more = (long) (pause.get().toMillis() * random.nextDouble() / 2);
                Thread.sleep(pause.get().plusMillis(more));
            }
        } finally {
            places.release();
        }
    }
}
