package dev.berth.server.load;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/// A TLS connection that sends arbitrary bytes, including those that no HTTP library sends.
final class RawClient implements AutoCloseable {

    /// Read timeout: a server that sends nothing for this long hangs.
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final URI server;
    private final SSLContext tls;
    private Optional<Connection> connection = Optional.empty();

    /// @param body empty when its end is unknown
    record Response(int status, Map<String, String> headers, Optional<String> body) {
        String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }
    }

    private record Connection(SSLSocket socket, InputStream input) {}

    RawClient(URI server, SSLContext tls) {
        this.server = server;
        this.tls = tls;
    }

    static byte[] request(String method, String target, String headers, byte[] body) {
        var bytes = new ByteArrayOutputStream();
        var head =
                method
                        + " "
                        + target
                        + " HTTP/1.1\r\nHost: berth\r\n"
                        + headers
                        + "Content-Length: ";
        bytes.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
        bytes.writeBytes((body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        bytes.writeBytes(body);
        return bytes.toByteArray();
    }

    Response json(String method, String target, String body) throws IOException {
        return send(method, target, "application/json", body);
    }

    Response send(String method, String target, String contentType, String body)
            throws IOException {
        return send(
                request(
                        method,
                        target,
                        "Content-Type: %s\r\n".formatted(contentType),
                        body.getBytes(StandardCharsets.UTF_8)));
    }

    /// Reads an object or a list of any length. Not for watches, which do not end.
    Response get(String target) throws IOException {
        var response = json("GET", target, "");
        if (!response.header("Transfer-Encoding").equals("chunked")) {
            return response;
        }
        try (this) {
            var open = open();
            write(open.socket, request("GET", target, "", new byte[0]), false);
            var head = answer(open.input, false);
            return new Response(head.status, head.headers, Optional.of(chunks(open.input)));
        }
    }

    private static String chunks(InputStream input) throws IOException {
        var body = new ByteArrayOutputStream();
        for (var length = Integer.parseInt(line(input), 16);
                length > 0;
                length = Integer.parseInt(line(input), 16)) {
            body.writeBytes(input.readNBytes(length));
            line(input);
        }
        return body.toString(StandardCharsets.UTF_8);
    }

    /// A connection with an unfinished response or request.
    record Watch(SSLSocket socket, InputStream input) implements AutoCloseable {
        /// The next line with an event.
        String line() throws IOException {
            var line = RawClient.line(input);
            while (!line.startsWith("{")) {
                line = RawClient.line(input);
            }
            return line;
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException _) {
                // Closed in any case.
            }
        }
    }

    /// Starts a watch on this connection, which cannot be used otherwise then.
    Watch watch(String target) throws IOException {
        var open = open();
        write(open.socket, request("GET", target, "", new byte[0]), false);
        var response = answer(open.input, false);
        if (response.status != 200) {
            throw new IOException("watching was answered with " + response);
        }
        connection = Optional.empty();
        return new Watch(open.socket, open.input);
    }

    /// Starts a request without sending its body.
    Watch begin(String method, String target, int length) throws IOException {
        var open = open();
        var whole = request(method, target, "Content-Type: application/json\r\n", new byte[length]);
        write(open.socket, Arrays.copyOf(whole, whole.length - length), false);
        connection = Optional.empty();
        return new Watch(open.socket, open.input);
    }

    /// Sends a complete request and reads its response.
    Response send(byte[] request) throws IOException {
        return send(request, false);
    }

    /// @param ends true to close the output after it
    Response send(byte[] request, boolean ends) throws IOException {
        var fresh = connection.isEmpty();
        try {
            return exchange(request, ends);
        } catch (EOFException e) {
            if (fresh) {
                throw e;
            }
            // The server may have closed the idle connection.
            return exchange(request, ends);
        }
    }

    private Response exchange(byte[] request, boolean ends) throws IOException {
        var open = open();
        try {
            write(open.socket, request, ends);
            var response = answer(open.input, request[0] == 'H');
            if (ends || response.body.isEmpty() || response.header("Connection").equals("close")) {
                close();
            }
            return response;
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /// A server may respond and close the connection before it has read everything.
    private static void write(SSLSocket socket, byte[] request, boolean ends) throws IOException {
        try {
            socket.getOutputStream().write(request);
            socket.getOutputStream().flush();
            if (ends) {
                socket.shutdownOutput();
            }
        } catch (IOException e) {
            if (request.length < 64 * 1024) {
                throw new EOFException("closed while the request was sent: " + e);
            }
        }
    }

    private Connection open() throws IOException {
        if (connection.isPresent()) {
            return connection.get();
        }
        var socket = (SSLSocket) tls.getSocketFactory().createSocket();
        socket.setSoTimeout((int) TIMEOUT.toMillis());
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(server.getHost(), server.getPort()));
        var opened = new Connection(socket, new BufferedInputStream(socket.getInputStream()));
        connection = Optional.of(opened);
        return opened;
    }

    private static Response answer(InputStream input, boolean isHead) throws IOException {
        var first = line(input);
        var status = Integer.parseInt(first.split(" ", 3)[1]);
        var headers = new TreeMap<String, String>();
        for (var line = line(input); !line.isEmpty(); line = line(input)) {
            var at = line.indexOf(':');
            headers.put(
                    line.substring(0, at).toLowerCase(Locale.ROOT), line.substring(at + 1).strip());
        }
        if (status == 101 || !headers.containsKey("content-length")) {
            return new Response(status, headers, Optional.empty());
        }
        // The response to HEAD has the content length of the body.
        var length = isHead ? 0 : Integer.parseInt(headers.get("content-length"));
        var body = input.readNBytes(length);
        if (body.length < length) {
            throw new IOException("the answer ended after %d of %d".formatted(body.length, length));
        }
        return new Response(status, headers, Optional.of(new String(body, StandardCharsets.UTF_8)));
    }

    private static String line(InputStream input) throws IOException {
        var text = new StringBuilder();
        for (var b = input.read(); b != '\n'; b = input.read()) {
            if (b < 0) {
                throw new EOFException("closed after: " + text);
            }
            text.append((char) b);
        }
        return text.toString().strip();
    }

    @Override
    public void close() {
        connection.ifPresent(open -> {
            try {
                open.socket.close();
            } catch (IOException _) {
                // Closed in any case.
            }
        });
        connection = Optional.empty();
    }
}
