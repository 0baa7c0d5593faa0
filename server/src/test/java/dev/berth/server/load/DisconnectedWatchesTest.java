package dev.berth.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.server.http.ServerLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Watches end with their connection or stream, even when their collection does not change.
class DisconnectedWatchesTest {

    private static final int WATCHES = 20;
    private static final int CANCEL = 8;
    private static final String WATCH =
            "/api/v1/namespaces/default/endpoints?watch=1&timeoutSeconds=100000";

    @TempDir private Path directory;

    private TestServer start() {
        return TestServer.start(directory, ServerLimits.DEFAULT);
    }

    private static void awaitWatches(TestServer server, int count) throws InterruptedException {
        Eventually.holds(() -> watches(server) == count);
    }

    private static int watches(TestServer server) {
        try {
            return Integer.parseInt(server.metric("apiserver_longrunning_requests"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void closingAnHttp1ConnectionEndsItsWatch() throws Exception {
        try (var server = start()) {
            var open = new ArrayList<RawClient.Watch>();
            for (var i = 0; i < WATCHES; i++) {
                open.add(server.client().watch(WATCH));
            }
            awaitWatches(server, WATCHES);
            open.forEach(RawClient.Watch::close);
            awaitWatches(server, 0);
        }
    }

    @Test
    void closingAnHttp2ConnectionEndsItsWatches() throws Exception {
        try (var server = start()) {
            try (var client = new RawHttp2(server.server().uri(), server.admin())) {
                for (var i = 0; i < WATCHES; i++) {
                    client.request("GET", WATCH, true);
                }
                awaitWatches(server, WATCHES);
            }
            awaitWatches(server, 0);
        }
    }

    @Test
    void resettingAStreamEndsItsWatch() throws Exception {
        try (var server = start();
                var client = new RawHttp2(server.server().uri(), server.admin())) {
            var first = client.request("GET", WATCH, true);
            client.request("GET", WATCH, true);
            awaitWatches(server, 2);
            client.reset(first, CANCEL);
            awaitWatches(server, 1);
        }
    }

    @Test
    void closingAWebSocketEndsItsWatch() throws Exception {
        try (var server = start();
                var client = HttpClient.newBuilder().sslContext(server.admin()).build()) {
            var uri = server.server().uri().resolve(WATCH).toString().replace("https:", "wss:");
            var socket =
                    client.newWebSocketBuilder()
                            .buildAsync(java.net.URI.create(uri), new WebSocket.Listener() {})
                            .join();
            awaitWatches(server, 1);
            socket.abort();
            awaitWatches(server, 0);
        }
    }

    @Test
    void watchOverHttp1EndsWithALastChunk() throws Exception {
        try (var server = start();
                var client = server.client()) {
            var response = client.get(WATCH.replace("100000", "1"));
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.header("Connection")).isEqualTo("close");
            assertThat(response.header("Transfer-Encoding")).isEqualTo("chunked");
            awaitWatches(server, 0);
        }
    }
}
