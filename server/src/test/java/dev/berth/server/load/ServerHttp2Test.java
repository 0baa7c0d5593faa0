package dev.berth.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.auth.ServerTls;
import dev.berth.server.http.ServerLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// HTTP/2 connections under the heavy use of Go clients and of attackers.
class ServerHttp2Test {

    private static final int NO_ERROR = 0;
    private static final int ENHANCE_YOUR_CALM = 11;
    private static final int CANCEL = 8;
    private static final int GO_REFRESH_BYTES = 4096;
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @TempDir private Path directory;

    private TestServer start() {
        return TestServer.start(directory, ServerLimits.DEFAULT);
    }

    @Test
    void anonymousStreamsAreRejectedBeforeTheirBodyIsRead() throws Exception {
        try (var server = start();
                var client =
                        new RawHttp2(
                                server.server().uri(),
                                ServerTls.context(server.server().authority()))) {
            var streams = new ArrayList<Integer>();
            for (var i = 0; i < 200; i++) {
                streams.add(client.request("POST", MAPS, false));
            }
            var open = new HashSet<>(streams);
            while (!open.isEmpty()) {
                var frame = client.next().orElseThrow();
                if (frame.type() == RawHttp2.RESET) {
                    assertThat(frame.number(0)).isEqualTo(NO_ERROR);
                    open.remove(frame.stream());
                }
            }
            // Streams that exceed the queue of anonymous clients get 429.
            assertThat(streams).allMatch(id -> Set.of(403, 429).contains(client.status(id)));
            client.readToEnd(client.request("GET", "/version", true));
        }
    }

    /// Go sends a WINDOW_UPDATE for the stream and one for the connection for every 4 KiB, even
    /// after the server has ended the stream.
    @Test
    void fastReaderOnOneConnectionStaysConnected() throws Exception {
        try (var server = start()) {
            fill(server);
            try (var client = new RawHttp2(server.server().uri(), server.admin())) {
                for (var i = 0; i < 200; i++) {
                    client.request("GET", MAPS + "?watch=1&resourceVersion=0", true);
                }
                for (var i = 0; i < 20; i++) {
                    var stream = client.request("GET", MAPS, true);
                    readLikeGo(client, stream);
                }
                var last = client.request("GET", "/version", true);
                client.readToEnd(last);
                assertThat(client.status(last)).isEqualTo(200);
            }
        }
    }

    private static void fill(TestServer server) throws IOException {
        try (var client = server.client()) {
            for (var i = 0; i < 5; i++) {
                var object =
                        "{\"metadata\":{\"name\":\"m-%d\"},\"data\":{\"k\":\"%s\"}}"
                                .formatted(i, "v".repeat(20_000));
                client.json("POST", MAPS, object);
            }
        }
    }

    private static void readLikeGo(RawHttp2 client, int stream) throws IOException {
        var length = 0;
        var frame = client.next().orElseThrow();
        while (frame.stream() != stream || !frame.endsStream()) {
            length += frame.type() == RawHttp2.DATA ? frame.payload().length : 0;
            assertThat(frame.type()).isNotEqualTo(RawHttp2.GO_AWAY);
            frame = client.next().orElseThrow();
        }
        for (var read = GO_REFRESH_BYTES; read <= length; read += GO_REFRESH_BYTES) {
            client.windowUpdate(stream, GO_REFRESH_BYTES);
            client.windowUpdate(0, GO_REFRESH_BYTES);
        }
    }

    @Test
    void allStreamsOfAConnectionMayBeCancelledAtOnce() throws Exception {
        try (var server = start();
                var client = new RawHttp2(server.server().uri(), server.admin())) {
            var streams = new ArrayList<Integer>();
            for (var i = 0; i < 900; i++) {
                streams.add(client.request("GET", MAPS + "?watch=1", true));
            }
            for (var stream : streams) {
                client.reset(stream, CANCEL);
                client.send(RawHttp2.PING, 0, 0, new byte[8]);
            }
            client.readToEnd(client.request("GET", "/version", true));
        }
    }

    @Test
    void windowUpdateFloodClosesTheConnection() throws Exception {
        flood(RawHttp2.frame(RawHttp2.WINDOW_UPDATE, 0, 0, RawHttp2.number(1)));
    }

    @Test
    void pingFloodClosesTheConnection() throws Exception {
        flood(RawHttp2.frame(RawHttp2.PING, 0, 0, new byte[8]));
    }

    private void flood(byte[] frame) throws Exception {
        var frames = new ByteArrayOutputStream();
        for (var i = 0; i < 500; i++) {
            frames.writeBytes(frame);
        }
        try (var server = start();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var stranger = ServerTls.context(server.server().authority());
            try (var client = new RawHttp2(server.server().uri(), stranger)) {
                threads.execute(() -> sendForEver(client, frames.toByteArray()));
                // The last frames may be lost, since the server no longer reads.
                assertThat(client.goAway().orElse(ENHANCE_YOUR_CALM)).isEqualTo(ENHANCE_YOUR_CALM);
            }
            assertThat(server.metric("apiserver_connections_closed_total{reason=\"control-frames"))
                    .isEqualTo("1");
        }
    }

    private static void sendForEver(RawHttp2 client, byte[] frames) {
        try {
            while (true) {
                client.send(frames);
            }
        } catch (IOException _) {
            // The server has closed the connection.
        }
    }

    @Test
    void resetRequestsAreCountedAndLogIsThrottled() throws Exception {
        var records = new ArrayList<LogRecord>();
        var handler = new RecordingHandler(records);
        var root = Logger.getLogger("");
        try (var server = start()) {
            root.addHandler(handler);
            resetMany(server);
            var aborts = Integer.parseInt(server.metric("apiserver_request_aborts_total"));
            assertThat(aborts).isPositive();
        } finally {
            root.removeHandler(handler);
        }
        synchronized (records) {
            assertThat(records).allMatch(record -> record.getThrown() == null);
            assertThat(records)
                    .filteredOn(record -> record.getMessage().contains("ended before"))
                    .hasSizeLessThan(20);
        }
    }

    /// Resets requests right after they were sent, on as many connections as necessary.
    private static void resetMany(TestServer server) throws IOException {
        var stranger = ServerTls.context(server.server().authority());
        for (var i = 0; i < 10; i++) {
            try (var client = new RawHttp2(server.server().uri(), stranger)) {
                for (var j = 0; j < 500; j++) {
                    client.reset(client.request("GET", "/version", true), CANCEL);
                }
                client.readToEnd(client.request("GET", "/version", true));
            } catch (SocketException _) {
                // The limit of this connection is reached.
            }
        }
    }

    private static final class RecordingHandler extends Handler {
        private final List<LogRecord> records;

        private RecordingHandler(List<LogRecord> records) {
            this.records = records;
        }

        @Override
        public void publish(LogRecord entry) {
            if (!Set.of("org.eclipse.jetty.server.Server").contains(entry.getLoggerName())) {
                synchronized (records) {
                    records.add(entry);
                }
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
