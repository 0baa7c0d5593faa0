package dev.berth.server.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.server.auth.ServerTls;
import dev.berth.server.http.HttpTimeouts;
import dev.berth.server.http.ServerLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients that send or read slowly, or not at all, do not hold resources for long.
class SlowClientsTest {

    /// Long enough for the handshake and header of the other clients of a test on a busy machine.
    private static final Duration SHORT = Duration.ofSeconds(3);

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @TempDir private Path directory;

    private TestServer start(HttpTimeouts timeouts) {
        return TestServer.start(directory, ServerLimits.DEFAULT.withTimeouts(timeouts));
    }

    @Test
    void anonymousRequestsAreRejectedBeforeTheirBodyIsRead() throws Exception {
        var open = new ArrayList<RawClient.Watch>();
        try (var server = start(HttpTimeouts.DEFAULT)) {
            for (var i = 0; i < 50; i++) {
                open.add(server.stranger().begin("POST", MAPS, 100));
            }
            for (var one : open) {
                assertThat(one.line()).contains("\"code\":403");
            }
            assertThat(seats(server, "unauthenticated")).isEqualTo("0");
        } finally {
            open.forEach(RawClient.Watch::close);
        }
    }

    @Test
    void bodySentAfterTheErrorLeavesTheConnectionUsable() throws Exception {
        try (var server = start(HttpTimeouts.DEFAULT);
                var socket = connect(server, ServerTls.context(server.server().authority()))) {
            var output = socket.getOutputStream();
            output.write(
                    "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n"
                            .formatted(MAPS)
                            .getBytes(US_ASCII));
            assertThat(line(socket.getInputStream())).contains(" 403 ");
            output.write(new byte[100]);
            output.write("GET /version HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
            var next = line(socket.getInputStream());
            while (!next.startsWith("HTTP/1.1") && !next.contains("}HTTP/1.1")) {
                next = line(socket.getInputStream());
            }
            assertThat(next).contains(" 200 ");
        }
    }

    private static String line(InputStream input) throws IOException {
        var text = new StringBuilder();
        for (var b = input.read(); b >= 0 && b != '\n'; b = input.read()) {
            text.append((char) b);
        }
        if (text.isEmpty()) {
            throw new IOException("the connection was closed");
        }
        return text.toString();
    }

    @Test
    void stalledBodyTimesOut() throws Exception {
        try (var server = start(HttpTimeouts.DEFAULT.withProgress(SHORT))) {
            var user = server.user("alice");
            try (var client = server.client(user);
                    var slow = client.begin("POST", MAPS, 100)) {
                assertThat(slow.line()).contains("\"code\":408");
                Eventually.holds(() -> seats(server, "users").equals("0"));
            }
        }
    }

    private static String seats(TestServer server, String level) {
        try {
            return server.metric(
                    "apiserver_flowcontrol_current_executing_seats{priority_level=\"" + level);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void connectionWithoutTlsHandshakeIsClosed() throws Exception {
        try (var server = start(HttpTimeouts.DEFAULT.withHandshake(SHORT));
                var socket = new Socket()) {
            socket.connect(address(server));
            assertThat(isClosedByServer(socket)).isTrue();
            assertThat(closedFor(server, "handshake")).isEqualTo("1");
        }
    }

    @Test
    void connectionWithoutAFirstRequestIsClosed() throws Exception {
        try (var server = start(HttpTimeouts.DEFAULT.withHeaders(SHORT));
                var socket = connect(server, server.admin())) {
            assertThat(isClosedByServer(socket)).isTrue();
            assertThat(closedFor(server, "headers")).isEqualTo("1");
        }
    }

    @Test
    void tricklingHeaderTimesOut() throws Exception {
        try (var server = start(HttpTimeouts.DEFAULT.withHeaders(SHORT));
                var socket = connect(server, server.admin())) {
            trickle(socket.getOutputStream(), "GET /version HTTP/1.1\r\nHost: x\r\nX: ");
            assertThat(closedFor(server, "headers")).isEqualTo("1");
        }
    }

    /// Sends single bytes until the server has closed the connection.
    private static void trickle(OutputStream output, String beginning) throws Exception {
        try {
            output.write(beginning.getBytes(US_ASCII));
            while (true) {
                output.write('x');
                Thread.sleep(10);
            }
        } catch (SocketException _) {
            // As expected.
        }
    }

    @Test
    void idleConnectionIsClosed() throws Exception {
        try (var server = start(HttpTimeouts.DEFAULT.withIdle(SHORT));
                var socket = connect(server, server.admin())) {
            socket.getOutputStream()
                    .write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
            assertThat(line(socket.getInputStream())).contains(" 200 ");
            assertThat(isClosedByServer(socket)).isTrue();
            assertThat(closedFor(server, "idle")).isEqualTo("1");
        }
    }

    @Test
    void idleHttp2ConnectionIsClosed() throws Exception {
        try (var server = start(HttpTimeouts.DEFAULT.withIdle(SHORT));
                var client = new RawHttp2(server.server().uri(), server.admin())) {
            client.readToEnd(client.request("GET", "/healthz", true));
            var noError = 0;
            assertThat(client.goAway().orElse(noError)).isEqualTo(noError);
        }
    }

    @Test
    void watchWithoutEventsDoesNotTimeOut() throws Exception {
        var timeouts = HttpTimeouts.DEFAULT.withIdle(SHORT).withHeaders(SHORT).withProgress(SHORT);
        try (var server = start(timeouts);
                var first = server.client().watch(MAPS + "?watch=1");
                var second = new RawHttp2(server.server().uri(), server.admin())) {
            var stream = second.request("GET", MAPS + "?watch=1", true);
            try (var socket = connect(server, server.admin())) {
                // This connection is inspected after the watches and closed, so they would have
                // been closed by now.
                assertThat(isClosedByServer(socket)).isTrue();
            }
            try (var client = server.client()) {
                client.json("POST", MAPS, "{\"metadata\":{\"name\":\"a\"}}");
            }
            assertThat(first.line()).contains("ADDED");
            var frame = second.next().orElseThrow();
            while (frame.type() != RawHttp2.DATA || frame.payload().length == 0) {
                frame = second.next().orElseThrow();
            }
            assertThat(frame.stream()).isEqualTo(stream);
        }
    }

    @Test
    void unreadResponseTimesOut() throws Exception {
        try (var server = start(HttpTimeouts.DEFAULT.withProgress(SHORT))) {
            fill(server);
            var user = server.user("alice");
            try (var socket = connect(server, user);
                    var http2 = new RawHttp2(server.server().uri(), user)) {
                socket.getOutputStream()
                        .write(
                                "GET %s HTTP/1.1\r\nHost: x\r\n\r\n"
                                        .formatted(MAPS)
                                        .getBytes(US_ASCII));
                http2.request("GET", MAPS, true);
                Eventually.holds(() -> aborts(server) >= 2 && seats(server, "users").equals("0"));
            }
        }
    }

    /// More than fits into socket buffers.
    private static void fill(TestServer server) throws IOException {
        try (var client = server.client()) {
            for (var i = 0; i < 40; i++) {
                var object =
                        "{\"metadata\":{\"name\":\"m-%d\"},\"data\":{\"k\":\"%s\"}}"
                                .formatted(i, "v".repeat(900_000));
                assertThat(client.json("POST", MAPS, object).status()).isEqualTo(201);
            }
        }
    }

    private static int aborts(TestServer server) {
        try {
            return Integer.parseInt(server.metric("apiserver_request_aborts_total"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void largeListIsSentCompletely() throws Exception {
        try (var server = start(HttpTimeouts.DEFAULT)) {
            fill(server);
            try (var client = new RawHttp2(server.server().uri(), server.admin())) {
                var stream = client.request("GET", MAPS, true);
                var bytes = 0;
                for (var frame = client.next().orElseThrow();
                        !frame.endsStream();
                        frame = client.next().orElseThrow()) {
                    if (frame.type() == RawHttp2.DATA) {
                        bytes += frame.payload().length;
                        client.windowUpdate(stream, frame.payload().length);
                        client.windowUpdate(0, frame.payload().length);
                    }
                }
                assertThat(client.status(stream)).isEqualTo(200);
                assertThat(bytes).isBetween(36_000_000, 37_000_000);
            }
        }
    }

    private static String closedFor(TestServer server, String phase) throws IOException {
        return server.metric("apiserver_connections_closed_total{reason=\"" + phase);
    }

    private static boolean isClosedByServer(Socket socket) throws IOException {
        try {
            socket.setSoTimeout(60_000);
            var input = socket.getInputStream();
            while (input.read() >= 0) {
                // The rest of a response.
            }
            return true;
        } catch (SocketException _) {
            return true;
        }
    }

    private static InetSocketAddress address(TestServer server) {
        var uri = server.server().uri();
        return new InetSocketAddress(uri.getHost(), uri.getPort());
    }

    private static SSLSocket connect(TestServer server, SSLContext tls) throws IOException {
        var socket = (SSLSocket) tls.getSocketFactory().createSocket();
        socket.setReceiveBufferSize(4096);
        socket.setSoTimeout(60_000);
        socket.connect(address(server));
        socket.startHandshake();
        return socket;
    }
}
