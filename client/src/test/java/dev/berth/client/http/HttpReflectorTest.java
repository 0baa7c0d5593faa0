package dev.berth.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.harness.Eventually;
import dev.berth.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Events passed to the handler when a server misbehaves.
class HttpReflectorTest {

    private static final ResourcePath MAPS = new ResourcePath("", "v1", "configmaps");

    @TempDir private Path directory;

    private final List<String> events = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch end = new CountDownLatch(1);

    private final Cluster.EventHandler<JsonObject> handler =
            new Cluster.EventHandler<>() {
                @Override
                public void replaceAll(Iterable<JsonObject> objects) {
                    var names = new ArrayList<String>();
                    objects.forEach(object -> names.add(name(object)));
                    events.add("all " + names);
                }

                @Override
                public void put(JsonObject object) {
                    events.add("put " + name(object));
                    if (name(object).equals("overflow")) {
                        throw new StackOverflowError();
                    }
                }

                @Override
                public void remove(JsonObject object) {
                    events.add("remove " + name(object));
                }

                @Override
                public void onForbidden(String message) {
                    events.add("forbidden " + message);
                }
            };

    @AfterEach
    void releaseServer() {
        end.countDown();
    }

    @Test
    void aWatchThatEndsResumesFromItsLastVersion() throws Exception {
        var watches = new AtomicInteger();
        var script =
                script(
                        page(5, "a"),
                        exchange -> {
                            switch (watches.incrementAndGet()) {
                                case 1 -> stream(exchange, event("ADDED", "b", 6), bookmark(9));
                                case 2 -> stream(exchange, event("DELETED", "b", 10));
                                default -> stayIdle(exchange);
                            }
                        });
        try (var server = new FakeServer(script)) {
            watchUntil(server, () -> watches.get() == 3);
            assertThat(events).containsExactly("all [a]", "put b", "remove b");
            assertThat(requestedVersions(server)).containsExactly("5", "9", "10");
        }
    }

    @Test
    void anExpiredWatchAndAnErrorEventListAgain() throws Exception {
        var watches = new AtomicInteger();
        var script =
                script(
                        page(5, "a"),
                        exchange -> {
                            switch (watches.incrementAndGet()) {
                                case 1 -> stream(exchange, status(410));
                                case 2 -> stream(exchange, status(500));
                                case 3 -> FakeServer.respond(exchange, 410, "{}");
                                default -> stayIdle(exchange);
                            }
                        });
        try (var server = new FakeServer(script)) {
            watchUntil(server, () -> watches.get() == 4);
            assertThat(events).containsExactly("all [a]", "all [a]", "all [a]", "all [a]");
        }
    }

    @Test
    void aWatchRejectedByAnOverloadedServerIsRetried() throws Exception {
        var watches = new AtomicInteger();
        var script =
                script(
                        page(5, "a"),
                        exchange -> {
                            if (watches.incrementAndGet() < 3) {
                                FakeServer.respond(exchange, 503, "{}");
                            } else {
                                stayIdle(exchange);
                            }
                        });
        try (var server = new FakeServer(script)) {
            watchUntil(server, () -> watches.get() == 3);
            assertThat(events).containsExactly("all [a]");
            assertThat(requestedVersions(server)).containsExactly("5", "5", "5");
        }
    }

    @Test
    void anIdleWatchIsRestarted() throws Exception {
        var watches = new AtomicInteger();
        var script =
                script(
                        page(5, "a"),
                        exchange -> {
                            watches.incrementAndGet();
                            stayIdle(exchange);
                        });
        try (var server = new FakeServer(script)) {
            watchUntil(server, Duration.ofMillis(100), () -> watches.get() >= 3);
            assertThat(events).containsExactly("all [a]");
        }
    }

    @Test
    void aServerWithAnOlderVersionIsListedAgain() throws Exception {
        var watches = new AtomicInteger();
        var script =
                script(
                        page(50, "a"),
                        exchange -> {
                            if (watches.incrementAndGet() == 1) {
                                stream(exchange, event("ADDED", "b", 7));
                            } else {
                                stayIdle(exchange);
                            }
                        });
        try (var server = new FakeServer(script)) {
            watchUntil(server, () -> watches.get() == 2);
            assertThat(events).containsExactly("all [a]", "all [a]");
        }
    }

    @Test
    void anExpiredContinueTokenListsEverythingInOnePage() throws Exception {
        var watches = new AtomicInteger();
        FakeServer.Script script =
                (exchange, target) -> {
                    if (target.contains("watch=true")) {
                        watches.incrementAndGet();
                        stayIdle(exchange);
                    } else if (target.contains("continue=")) {
                        FakeServer.respond(exchange, 410, "{}");
                    } else if (target.contains("limit=")) {
                        var part =
                                page(5, "a")
                                        .replace(
                                                "\"resourceVersion\":\"5\"}",
                                                "\"continue\":\"t\"}");
                        FakeServer.respond(exchange, 200, part);
                    } else {
                        FakeServer.respond(exchange, 200, page(6, "a", "b"));
                    }
                };
        try (var server = new FakeServer(script)) {
            watchUntil(server, () -> watches.get() == 1);
            assertThat(events).containsExactly("all [a, b]");
        }
    }

    @Test
    void aHandlerThatFailsGetsTheCompleteListAgain() throws Exception {
        var watches = new AtomicInteger();
        var script =
                script(
                        page(5, "a"),
                        exchange -> {
                            if (watches.incrementAndGet() == 1) {
                                stream(exchange, event("ADDED", "overflow", 6));
                            } else {
                                stayIdle(exchange);
                            }
                        });
        try (var server = new FakeServer(script)) {
            watchUntil(server, () -> watches.get() == 2);
            assertThat(events).containsExactly("all [a]", "put overflow", "all [a]");
        }
    }

    @Test
    void onForbiddenIsCalledUntilListingIsPermitted() throws Exception {
        var lists = new AtomicInteger();
        var refusal = "{\"kind\":\"Status\",\"code\":403,\"message\":\"no maps for you\"}";
        FakeServer.Script script =
                (exchange, target) -> {
                    if (target.contains("watch=true")) {
                        stayIdle(exchange);
                    } else if (target.contains("limit=") && lists.incrementAndGet() == 1) {
                        FakeServer.respond(exchange, 403, refusal);
                    } else {
                        FakeServer.respond(exchange, 200, page(6, "a"));
                    }
                };
        try (var server = new FakeServer(script)) {
            watchUntil(server, () -> events.size() == 2);
            assertThat(events).containsExactly("forbidden no maps for you", "all [a]");
        }
    }

    /// Responds to a watch.
    private interface Watch {
        void respond(HttpExchange exchange) throws IOException;
    }

    private static FakeServer.Script script(String list, Watch watch) {
        return (exchange, target) -> {
            if (target.contains("watch=true")) {
                watch.respond(exchange);
            } else {
                FakeServer.respond(exchange, 200, list);
            }
        };
    }

    private static void stream(HttpExchange exchange, String... lines) throws IOException {
        FakeServer.respond(exchange, 200, String.join("\n", lines) + "\n");
    }

    private void stayIdle(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().flush();
        try {
            end.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void watchUntil(FakeServer server, BooleanSupplier condition) throws Exception {
        watchUntil(server, Duration.ofMinutes(1), condition);
    }

    private void watchUntil(FakeServer server, Duration idle, BooleanSupplier condition)
            throws Exception {
        var settings =
                ClientOptions.of("test", "0")
                        .withRandom(new Random(1))
                        .withIdleTimeout(idle)
                        .withBackoff(Duration.ofMillis(1), Duration.ofMillis(5));
        try (var cluster = new HttpCluster(server.access(directory, "{}"), settings);
                var _ = cluster.watch(MAPS, "", handler)) {
            Eventually.holds(() -> "events " + events, condition::getAsBoolean);
        }
    }

    private static List<String> requestedVersions(FakeServer server) {
        return server.requests().stream()
                .filter(target -> target.contains("watch=true"))
                .map(target -> target.replaceAll(".*[?&]resourceVersion=([^&]*).*", "$1"))
                .toList();
    }

    private static String name(JsonObject object) {
        return object.objectOrEmpty("metadata").text("name");
    }

    private static String page(int revision, String... names) {
        var items = new ArrayList<String>();
        for (var name : names) {
            items.add(object(name, revision));
        }
        return """
        {"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"%d"},"items":%s}
        """
                .formatted(revision, items);
    }

    private static String object(String name, int revision) {
        return "{\"metadata\":{\"name\":\"%s\",\"resourceVersion\":\"%d\"}}"
                .formatted(name, revision);
    }

    private static String event(String type, String name, int revision) {
        return "{\"type\":\"%s\",\"object\":%s}".formatted(type, object(name, revision));
    }

    private static String bookmark(int revision) {
        return event("BOOKMARK", "", revision);
    }

    private static String status(int code) {
        return "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":%d}}".formatted(code);
    }
}
