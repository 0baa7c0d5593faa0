package dev.berth.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.server.http.ServerLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Limits of requests, watches, bodies and headers, and their status codes.
class LimitsTest {

    /// The share of one user is a fifth.
    private static final int SEATS = 10;

    private static final int WATCHES = 15;
    private static final int OF_ONE_USER = 3;
    private static final int BODY_BYTES = 20_000;
    private static final int HEADER_BYTES = 8 * 1024;
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String WATCH = CONFIG_MAPS + "?watch=1&timeoutSeconds=20";

    @TempDir private Path directory;

    private TestServer start() {
        return TestServer.start(
                directory,
                ServerLimits.DEFAULT
                        .withSeats(SEATS)
                        .withQueueLength(0)
                        .withWatches(WATCHES)
                        .withBodyBytes(BODY_BYTES)
                        .withHeaderBytes(HEADER_BYTES));
    }

    private static String configMap(String name, int length) {
        return "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"k\":\"%s\"}}"
                .formatted(name, "v".repeat(length));
    }

    @Test
    void watchesBeyondTheShareOfAUserAreRejected() throws Exception {
        var open = new ArrayList<RawClient.Watch>();
        try (var server = start()) {
            var alice = server.user("alice");
            var bob = server.user("bob");
            for (var i = 0; i < OF_ONE_USER; i++) {
                open.add(server.client(alice).watch(WATCH));
            }
            try (var client = server.client(alice)) {
                var rejected = client.get(WATCH);
                assertThat(rejected.status()).isEqualTo(429);
                assertThat(rejected.header("Retry-After")).isEqualTo("1");
                assertThat(rejected.body().orElse("")).contains("\"reason\":\"TooManyRequests\"");
                assertThat(client.get(CONFIG_MAPS).status()).as("lists").isEqualTo(200);
            }
            open.add(server.client(bob).watch(WATCH));
            open.add(server.client().watch(WATCH));
        } finally {
            open.forEach(RawClient.Watch::close);
        }
    }

    @Test
    void requestsBeyondTheShareOfAUserAreRejected() throws Exception {
        var slow = new ArrayList<RawClient.Watch>();
        try (var server = start()) {
            var alice = server.user("alice");
            var bob = server.user("bob");
            // Requests with unfinished bodies keep their seats.
            for (var i = 0; i < SEATS / 5; i++) {
                slow.add(server.client(alice).begin("POST", CONFIG_MAPS, 1_000));
            }
            try (var client = server.client(alice)) {
                Eventually.holds(() -> status(client, "slow") == 429);
                var rejected = client.json("POST", CONFIG_MAPS, configMap("slow", 1));
                assertThat(rejected.header("Retry-After")).isEqualTo("1");
                try (var other = server.client(bob);
                        var admin = server.client()) {
                    assertThat(status(other, "of-bob")).isEqualTo(201);
                    assertThat(status(admin, "of-admin")).isEqualTo(201);
                    assertThat(client.get("/readyz").status()).isEqualTo(200);
                }
                slow.forEach(RawClient.Watch::close);
                Eventually.holds(() -> status(client, "after") != 429);
            }
        }
    }

    private static int status(RawClient client, String name) {
        try {
            return client.json("POST", CONFIG_MAPS, configMap(name, 1)).status();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void bodySizeIsLimited() throws Exception {
        try (var server = start();
                var client = server.client()) {
            var most = BODY_BYTES - configMap("most", 0).length();
            assertThat(client.json("POST", CONFIG_MAPS, configMap("most", most)).status())
                    .isEqualTo(201);
            var rejected = client.json("POST", CONFIG_MAPS, configMap("more", most + 1));
            assertThat(rejected.status()).isEqualTo(413);
            assertThat(rejected.body().orElse("")).contains("20000 bytes");
        }
    }

    @Test
    void chunkedBodySizeIsLimited() throws Exception {
        try (var server = start();
                var client = server.client()) {
            var pieces = "1000\r\n%s\r\n".formatted(" ".repeat(0x1000)).repeat(6) + "0\r\n\r\n";
            var request =
                    "POST %s HTTP/1.1\r\nHost: berth\r\nTransfer-Encoding: chunked\r\n\r\n%s"
                            .formatted(CONFIG_MAPS, pieces);
            assertThat(
                            client.send(
                                            request.getBytes(
                                                    java.nio.charset.StandardCharsets.US_ASCII))
                                    .status())
                    .isEqualTo(413);
        }
    }

    @Test
    void headerAndPathSizesAreLimited() throws IOException {
        try (var server = start();
                var client = server.client()) {
            assertThat(header(client, HEADER_BYTES / 2)).isEqualTo(200);
            assertThat(header(client, HEADER_BYTES)).isEqualTo(431);
            assertThat(client.get(CONFIG_MAPS + "?x=" + "y".repeat(HEADER_BYTES / 2)).status())
                    .isEqualTo(200);
            assertThat(client.get(CONFIG_MAPS + "?x=" + "y".repeat(HEADER_BYTES)).status())
                    .isIn(414, 431);
        }
    }

    private static int header(RawClient client, int length) throws IOException {
        var headers = "X: " + "y".repeat(length) + "\r\n";
        return client.send(RawClient.request("GET", CONFIG_MAPS, headers, new byte[0])).status();
    }

    @Test
    void anonymousClientsSeeHealthOnly() throws IOException {
        try (var server = start();
                var stranger = server.stranger()) {
            assertThat(stranger.get("/livez").status()).isEqualTo(200);
            assertThat(stranger.get("/version").status()).isEqualTo(200);
            assertThat(stranger.get(CONFIG_MAPS).status()).isEqualTo(403);
            assertThat(stranger.get("/metrics").status()).isEqualTo(403);
        }
    }

    /// More than the listener has platform threads.
    @Test
    void manyWatchesDoNotBlockOtherRequests() throws Exception {
        var open = new ArrayList<RawClient.Watch>();
        try (var server = TestServer.start(directory, ServerLimits.DEFAULT);
                var client = server.client();
                var threads = Executors.newFixedThreadPool(8)) {
            var tasks = new ArrayList<Callable<RawClient.Watch>>();
            for (var i = 0; i < 50; i++) {
                tasks.add(() -> server.client().watch(WATCH));
            }
            for (var future : threads.invokeAll(tasks)) {
                open.add(future.get());
            }
            assertThat(client.json("POST", CONFIG_MAPS, configMap("all", 1)).status())
                    .isEqualTo(201);
            for (var watch : open) {
                assertThat(watch.line()).contains("\"type\":\"ADDED\"");
            }
        } finally {
            open.forEach(RawClient.Watch::close);
        }
    }
}
