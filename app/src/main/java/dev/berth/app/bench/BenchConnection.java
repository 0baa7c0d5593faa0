package dev.berth.app.bench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.OptionalDouble;
import javax.net.ssl.SSLSocket;

/// A keep-alive connection with a minimal HTTP/1.1 client: a load generator must cost less than
/// what it measures.
final class BenchConnection implements AutoCloseable {

    private static final int BUFFER_BYTES = 16 * 1024;

    /// Read timeout.
    private static final int TIMEOUT_MILLIS = 60_000;

    private final SSLSocket socket;
    private final InputStream input;
    private final String credentials;
    private final Encoding encoding;

    /// A response.
    @SuppressWarnings("ArrayRecordComponent")
    record Answer(int status, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /// @param length -1 for a body in chunks
    private record Head(int status, int length) {}

    private BenchConnection(SSLSocket socket, String authorization, Encoding encoding, int buffer)
            throws IOException {
        this.socket = socket;
        this.encoding = encoding;
        this.input = new BufferedInputStream(socket.getInputStream(), buffer);
        this.credentials =
                authorization.isEmpty() ? "" : "Authorization: " + authorization + "\r\n";
    }

    static BenchConnection to(BenchTarget access) throws IOException {
        return to(access, Encoding.JSON);
    }

    static BenchConnection to(BenchTarget access, Encoding encoding) throws IOException {
        return to(access, encoding, BUFFER_BYTES);
    }

    static BenchConnection to(BenchTarget access, Encoding encoding, int buffer)
            throws IOException {
        var socket = (SSLSocket) access.tls().getSocketFactory().createSocket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        var server = access.server();
        socket.connect(
                new InetSocketAddress(
                        server.getHost(), server.getPort() < 0 ? 443 : server.getPort()));
        var parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        return new BenchConnection(socket, access.authorization(), encoding, buffer);
    }

    Answer send(String method, String target, byte[] body) throws IOException {
        write(method, target, encoding.mediaType(), body);
        var head = head();
        return new Answer(head.status, body(head));
    }

    /// Sends a request and fails if the response has another status.
    Answer expect(int status, String method, String target, byte[] body) throws IOException {
        var answer = send(method, target, body);
        if (answer.status != status) {
            throw new IOException(
                    "%s %s: expected %d, got %d: %s"
                            .formatted(method, target, status, answer.status, answer.text()));
        }
        return answer;
    }

    private void write(String method, String target, String accepted, byte[] body)
            throws IOException {
        var head =
                method
                        + " "
                        + target
                        + " HTTP/1.1\r\nHost: berth-bench\r\nAccept: "
                        + accepted
                        + "\r\nContent-Type: "
                        + encoding.mediaType()
                        + "\r\n"
                        + credentials
                        + "Content-Length: "
                        + body.length
                        + "\r\n\r\n";
        var bytes = new ByteArrayOutputStream(head.length() + body.length);
        bytes.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
        bytes.writeBytes(body);
        socket.getOutputStream().write(bytes.toByteArray());
    }

    private Head head() throws IOException {
        var status = Integer.parseInt(line().split(" ", 3)[1]);
        var length = 0;
        for (var line = line(); !line.isEmpty(); line = line()) {
            var lower = line.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(lower.substring("content-length:".length()).strip());
            } else if (lower.startsWith("transfer-encoding:")) {
                length = -1;
            }
        }
        return new Head(status, length);
    }

    private byte[] body(Head head) throws IOException {
        if (head.length >= 0) {
            return input.readNBytes(head.length);
        }
        var bytes = new ByteArrayOutputStream();
        for (var chunk = chunk(); chunk.length > 0; chunk = chunk()) {
            bytes.writeBytes(chunk);
        }
        return bytes.toByteArray();
    }

    private byte[] chunk() throws IOException {
        // A server may send the end of a line after a chunk only with the next one, so it is read
        // then.
        var line = line();
        var length = Integer.parseInt(line.isEmpty() ? line() : line, 16);
        if (length == 0) {
            line();
        }
        return input.readNBytes(length);
    }

    /// Starts a watch.
    void watch(String target) throws IOException {
        write("GET", target, encoding.watchType(), new byte[0]);
        var head = head();
        if (head.status != 200) {
            throw new IOException("%s: got %d".formatted(target, head.status));
        }
    }

    /// Waits for that many watch events.
    void await(int events) throws IOException {
        var counter = encoding.counter();
        var left = events;
        while (left > 0) {
            var chunk = chunk();
            if (chunk.length == 0) {
                throw new EOFException("the watch ended, %d events early".formatted(left));
            }
            left -= counter.ended(chunk);
        }
    }

    /// The value of a metric without labels; empty when the server does not serve it to this user.
    OptionalDouble metric(String name) throws IOException {
        return send("GET", "/metrics", new byte[0])
                .text()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst();
    }

    private String line() throws IOException {
        var text = new StringBuilder(64);
        for (var b = input.read(); b != '\n'; b = input.read()) {
            if (b < 0) {
                throw new EOFException("the server closed the connection");
            }
            if (b != '\r') {
                text.append((char) b);
            }
        }
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        // The server does not notice the close while it sends a watch, so the close does not wait
        // for it.
        socket.setSoTimeout(1);
        socket.close();
    }
}
