package dev.berth.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.StoreChoice;
import dev.berth.server.load.HostileRequests.Hostile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// Sends malformed and malicious requests to a server. No response may be a 5xx, no connection may
/// hang, the server must be ready afterwards, and an object that no request names must be
/// unchanged.
final class HostileRun {

    private static final int CLIENTS = 8;
    private static final String CONTROL = "/api/v1/namespaces/control-group/configmaps";

    /// Response to an HTTP version before 1.0; a rejection, not an internal error.
    private static final int VERSION_NOT_SUPPORTED = 505;

    /// Kubernetes answers an applied configuration that does not match its schema with 500.
    private static final String UNTYPED = "failed to create typed patch object";

    /// Kubernetes answers the eviction of a pod with several PodDisruptionBudgets with 500.
    private static final String SEVERAL_BUDGETS = "has more than one PodDisruptionBudget";

    /// Maximum growth of the heap: mostly objects that were valid by chance.
    private static final long MOST_BYTES_KEPT = 200L << 20;

    /// Counts of a run.
    ///
    /// @param responses the number of responses by the first digit of their status
    /// @param violations one line for each violation
    record Totals(long requests, Map<Integer, Long> responses, List<String> violations) {}

    private final HostileRequests requests;
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final Map<Integer, Long> responses = new ConcurrentHashMap<>();

    HostileRun(long seed) {
        this.requests = new HostileRequests(seed);
    }

    /// @param directory the data directory of the server, which stores objects in memory
    Totals run(Path directory, int count) throws Exception {
        try (var server =
                TestServer.start(
                        directory, settings -> settings.withStore(new StoreChoice.Memory()))) {
            createObjects(server);
            var before = heap();
            var control = control(server);
            sendAll(server, count);
            if (!control(server).equals(control)) {
                violations.add("the control object is now " + control(server));
            }
            if (heap() - before > MOST_BYTES_KEPT) {
                violations.add("the heap grew from %d to %d bytes".formatted(before, heap()));
            }
            try (var client = server.client()) {
                for (var path : List.of("/readyz", "/api/v1/namespaces")) {
                    var status = client.get(path).status();
                    if (status != 200) {
                        violations.add("%s answers %d afterwards".formatted(path, status));
                    }
                }
            }
        }
        return new Totals(count, new TreeMap<>(responses), List.copyOf(violations));
    }

    private void createObjects(TestServer server) throws IOException {
        try (var client = server.client()) {
            // Twice, since a custom kind is served only some time after its definition was created.
            for (var one : requests.furniture()) {
                client.send(one.bytes());
            }
            for (var one : requests.furniture()) {
                assertThat(client.send(one.bytes()).status()).as(one.what()).isIn(201, 404, 409);
            }
            var group = "{\"metadata\":{\"name\":\"control-group\"}}";
            assertThat(client.json("POST", "/api/v1/namespaces", group).status()).isEqualTo(201);
            var object = "{\"metadata\":{\"name\":\"control\"},\"data\":{\"a\":\"b\"}}";
            assertThat(client.json("POST", CONTROL, object).status()).isEqualTo(201);
        }
    }

    private static String control(TestServer server) throws IOException {
        try (var client = server.client()) {
            return client.get(CONTROL + "/control").body().orElse("");
        }
    }

    private void sendAll(TestServer server, int count) {
        var next = new AtomicInteger();
        try (var threads = Executors.newFixedThreadPool(CLIENTS)) {
            for (var i = 0; i < CLIENTS; i++) {
                threads.execute(() -> {
                    try (var client = server.client()) {
                        for (var n = next.getAndIncrement();
                                n < count;
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
            var response = client.send(hostile.bytes(), hostile.ends());
            var status = response.status();
            responses.merge(status / 100, 1L, Long::sum);
            if ((status >= 500 && !isExpected(response)) || status < 100) {
                violations.add("%d, %s: %s".formatted(number, hostile.what(), response));
            }
        } catch (IOException | RuntimeException e) {
            responses.merge(0, 1L, Long::sum);
            if (!hostile.mayBeCut() || e instanceof java.net.SocketTimeoutException) {
                violations.add("%d, %s: %s".formatted(number, hostile.what(), e));
            }
        }
    }

    /// Status codes from 500 on that Kubernetes uses for rejections.
    private static boolean isExpected(RawClient.Response response) {
        return response.status() == VERSION_NOT_SUPPORTED
                || response.body().orElse("").contains(SEVERAL_BUDGETS)
                || response.body().orElse("").contains(UNTYPED);
    }

    private static long heap() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
