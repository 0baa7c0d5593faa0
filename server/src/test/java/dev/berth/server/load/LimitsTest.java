package dev.berth.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.StoreChoice;
import dev.berth.server.http.Limits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server bounds what it takes on, and says so.
class LimitsTest {

    private static final int READS = 4;
    private static final int WRITES = 2;
    private static final int WATCHES = 3;
    private static final int BODY_BYTES = 20_000;
    private static final int HEADER_BYTES = 8 * 1024;
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String WATCH = CONFIG_MAPS + "?watch=1&timeoutSeconds=20";

    @TempDir private Path directory;

    private TestServer start(Limits limits) {
        return TestServer.start(
                directory,
                settings -> settings.withStore(new StoreChoice.Memory()).withLimits(limits));
    }

    private TestServer start() {
        return start(new Limits(READS, WRITES, WATCHES, BODY_BYTES, HEADER_BYTES));
    }

    private static String configMap(String name, int length) {
        return "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"k\":\"%s\"}}"
                .formatted(name, "v".repeat(length));
    }

    @Test
    void watchesBeyondTheLimitComeLater() throws Exception {
        var open = new ArrayList<RawClient.Watch>();
        try (var server = start();
                var client = server.client()) {
            for (var i = 0; i < WATCHES; i++) {
                open.add(server.client().watch(WATCH));
            }
            var refused = client.get(WATCH);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(refused.body().orElse("")).contains("\"reason\":\"TooManyRequests\"");
            assertThat(client.get(CONFIG_MAPS).status()).as("others are served").isEqualTo(200);
        } finally {
            open.forEach(RawClient.Watch::close);
        }
    }

    @Test
    void requestsBeyondTheLimitComeLater() throws Exception {
        var slow = new ArrayList<RawClient.Watch>();
        try (var server = start();
                var client = server.client()) {
            // Requests whose bodies do not end keep their places.
            for (var i = 0; i < WRITES; i++) {
                slow.add(server.client().begin("POST", CONFIG_MAPS, 1_000));
            }
            var refused = refusal(client, "slow");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(client.get(CONFIG_MAPS).status()).as("reads are served").isEqualTo(200);
            slow.forEach(RawClient.Watch::close);
            assertThat(accepted(client)).isEqualTo(201);
        }
    }

    /// The server may take a moment to see the others.
    private static RawClient.Answer refusal(RawClient client, String name) throws Exception {
        var answer = client.json("POST", CONFIG_MAPS, configMap(name, 1));
        for (var attempt = 0; attempt < 100 && answer.status() != 429; attempt++) {
            Thread.sleep(50);
            answer = client.json("POST", CONFIG_MAPS, configMap(name, 1));
        }
        return answer;
    }

    private static int accepted(RawClient client) throws Exception {
        var status = 429;
        for (var attempt = 0; attempt < 100 && status == 429; attempt++) {
            Thread.sleep(50);
            status = client.json("POST", CONFIG_MAPS, configMap("after", 1)).status();
        }
        return status;
    }

    @Test
    void aBodyMayBeSoLongAndNoLonger() throws Exception {
        try (var server = start();
                var client = server.client()) {
            var most = BODY_BYTES - configMap("most", 0).length();
            assertThat(client.json("POST", CONFIG_MAPS, configMap("most", most)).status())
                    .isEqualTo(201);
            var refused = client.json("POST", CONFIG_MAPS, configMap("more", most + 1));
            assertThat(refused.status()).isEqualTo(413);
            assertThat(refused.body().orElse("")).contains("20000 bytes");
        }
    }

    @Test
    void aBodyInPiecesIsBoundedToo() throws Exception {
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
    void headersAndAddressesMayBeSoLongAndNoLonger() throws IOException {
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
    void strangersAreToldOnlyHowTheServerIs() throws IOException {
        try (var server = start();
                var stranger = server.stranger()) {
            assertThat(stranger.get("/livez").status()).isEqualTo(200);
            assertThat(stranger.get("/version").status()).isEqualTo(200);
            assertThat(stranger.get(CONFIG_MAPS).status()).isEqualTo(403);
            assertThat(stranger.get("/metrics").status()).isEqualTo(403);
        }
    }

    /// More than the listener has threads of its own.
    @Test
    void manyWatchesLeaveRoomForOthers() throws Exception {
        var open = new ArrayList<RawClient.Watch>();
        try (var server = start(Limits.DEFAULT);
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

    @Test
    void defaultsAreThoseOfKubernetes() {
        assertThat(List.of(Limits.DEFAULT.reads(), Limits.DEFAULT.writes()))
                .containsExactly(400, 200);
    }
}
