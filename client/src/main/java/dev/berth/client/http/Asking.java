package dev.berth.client.http;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/// Asks, and asks again when a busy server says so.
final class Asking {

    /// How often a request is sent in all.
    private static final int MAX_ATTEMPTS = 6;

    /// Requests at the same time; others wait their turn.
    private static final int MAX_AT_ONCE = 256;

    private final Connection connection;
    private final Duration patience;
    private final Semaphore places = new Semaphore(MAX_AT_ONCE);

    /// @param patience how long to wait for a busy server in all
    Asking(Connection connection, Duration patience) {
        this.connection = connection;
        this.patience = patience;
    }

    HttpResponse<byte[]> ask(Call call) throws IOException, InterruptedException {
        places.acquire();
        try {
            var left = patience;
            for (var attempt = 1; ; attempt++) {
                var answer = connection.ask(call);
                var pause = Answers.pause(answer);
                if (pause.isEmpty() || attempt == MAX_ATTEMPTS || pause.get().compareTo(left) > 0) {
                    return answer;
                }
                left = left.minus(pause.get());
                Thread.sleep(pause.get());
            }
        } finally {
            places.release();
        }
    }
}
