package dev.berth.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.StoreChoice;
import dev.berth.server.load.HostileRequests.Hostile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Sends what a server should not get, and wants to be told so. System properties
/// `berth.hostile.requests` and `berth.hostile.seed` ask for more, or for others.
class HostileRequestsTest {

    private static final int REQUESTS = Integer.getInteger("berth.hostile.requests", 20_000);
    private static final long SEED = Long.getLong("berth.hostile.seed", 4);
    private static final int CLIENTS = 8;

    /// A refusal of what claims to be older than HTTP/1.0, not a failure.
    private static final int VERSION_NOT_SUPPORTED = 505;

    /// What a server may keep of all that: mostly the objects that were right by accident.
    private static final long MOST_BYTES_KEPT = 200L << 20;

    private final HostileRequests requests = new HostileRequests(SEED);
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();

    @TempDir private Path directory;

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void hostileRequestsAreRefusedAndTheServerGoesOn() throws Exception {
        try (var server =
                TestServer.start(
                        directory, settings -> settings.withStore(new StoreChoice.Memory()))) {
            furnish(server);
            var before = heap();
            sendAll(server);
            assertThat(complaints).as("seed " + SEED).isEmpty();
            assertThat(heap() - before).isLessThan(MOST_BYTES_KEPT);
            try (var client = server.client()) {
                assertThat(client.get("/readyz").status()).isEqualTo(200);
                assertThat(client.get("/api/v1/namespaces").status()).isEqualTo(200);
            }
        }
    }

    private void furnish(TestServer server) throws IOException {
        try (var client = server.client()) {
            // Twice, since a custom kind is served some time after its definition is there.
            for (var one : requests.furniture()) {
                client.send(one.bytes());
            }
            for (var one : requests.furniture()) {
                assertThat(client.send(one.bytes()).status()).as(one.what()).isIn(201, 404, 409);
            }
        }
    }

    private void sendAll(TestServer server) throws InterruptedException {
        var next = new AtomicInteger();
        try (var threads = Executors.newFixedThreadPool(CLIENTS)) {
            for (var i = 0; i < CLIENTS; i++) {
                threads.execute(() -> {
                    try (var client = server.client()) {
                        for (var n = next.getAndIncrement();
                                n < REQUESTS;
                                n = next.getAndIncrement()) {
                            send(client, n, requests.request(n));
                        }
                    }
                });
            }
        }
    }

    private void send(RawClient client, int number, Hostile hostile) {
        try {
            var status = client.send(hostile.bytes(), hostile.ends()).status();
            if (status != VERSION_NOT_SUPPORTED && (status >= 500 || status < 100)) {
                complaints.add("%d, %s: %d".formatted(number, hostile.what(), status));
            }
        } catch (IOException | RuntimeException e) {
            if (!hostile.mayBeCut() || e instanceof java.net.SocketTimeoutException) {
                complaints.add("%d, %s: %s".formatted(number, hostile.what(), e));
            }
        }
    }

    private static long heap() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Test
    void requestsFollowFromTheirSeed() {
        var again = new HostileRequests(SEED);
        for (var number : List.of(1, 5, 7, 10, 12, 14, 16, 17, 18, 19)) {
            assertThat(again.request(number).bytes()).isEqualTo(requests.request(number).bytes());
        }
    }
}
