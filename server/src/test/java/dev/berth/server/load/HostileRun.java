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

/// Sends hostile requests to a server. No answer may be a 5xx, no connection may hang, the server
/// must be ready afterwards, and an object that no request names must be as it was.
final class HostileRun {

    private static final int CLIENTS = 8;
    private static final String CONTROL = "/api/v1/namespaces/control-group/configmaps";

    /// A refusal of what claims to be older than HTTP/1.0, not a failure.
    private static final int VERSION_NOT_SUPPORTED = 505;

    /// Kubernetes answers an applied configuration that does not match its schema with 500.
    private static final String UNTYPED = "failed to create typed patch object";

    /// Kubernetes answers the eviction of a pod with several PodDisruptionBudgets with 500.
    private static final String SEVERAL_BUDGETS = "has more than one PodDisruptionBudget";

    /// What a server may keep of all that: mostly the objects that were right by accident.
    private static final long MOST_BYTES_KEPT = 200L << 20;

    /// What a run did.
    ///
    /// @param answers the number of answers by the first digit of their status
    /// @param complaints one line for each violation
    record Totals(long requests, Map<Integer, Long> answers, List<String> complaints) {}

    private final HostileRequests requests;
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final Map<Integer, Long> answers = new ConcurrentHashMap<>();

    HostileRun(long seed) {
        this.requests = new HostileRequests(seed);
    }

    /// @param directory the data directory of the server, which keeps objects in memory
    Totals run(Path directory, int count) throws Exception {
        try (var server =
                TestServer.start(
                        directory, settings -> settings.withStore(new StoreChoice.Memory()))) {
            furnish(server);
            var before = heap();
            var control = control(server);
            sendAll(server, count);
            if (!control(server).equals(control)) {
                complaints.add("the control object is now " + control(server));
            }
            if (heap() - before > MOST_BYTES_KEPT) {
                complaints.add("the heap grew from %d to %d bytes".formatted(before, heap()));
            }
            try (var client = server.client()) {
                for (var path : List.of("/readyz", "/api/v1/namespaces")) {
                    var status = client.get(path).status();
                    if (status != 200) {
                        complaints.add("%s answers %d afterwards".formatted(path, status));
                    }
                }
            }
        }
        return new Totals(count, new TreeMap<>(answers), List.copyOf(complaints));
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
            var answer = client.send(hostile.bytes(), hostile.ends());
            var status = answer.status();
            answers.merge(status / 100, 1L, Long::sum);
            if ((status >= 500 && !isExpected(answer)) || status < 100) {
                complaints.add("%d, %s: %s".formatted(number, hostile.what(), answer));
            }
        } catch (IOException | RuntimeException e) {
            answers.merge(0, 1L, Long::sum);
            if (!hostile.mayBeCut() || e instanceof java.net.SocketTimeoutException) {
                complaints.add("%d, %s: %s".formatted(number, hostile.what(), e));
            }
        }
    }

    /// Answers above 500 that are refusals, as Kubernetes gives them.
    private static boolean isExpected(RawClient.Answer answer) {
        return answer.status() == VERSION_NOT_SUPPORTED
                || answer.body().orElse("").contains(SEVERAL_BUDGETS)
                || answer.body().orElse("").contains(UNTYPED);
    }

    private static long heap() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
