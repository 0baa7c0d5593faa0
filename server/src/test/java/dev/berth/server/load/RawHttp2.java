package dev.berth.server.load;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.hpack.HpackDecoder;
import org.eclipse.jetty.http2.hpack.HpackException;

/// An HTTP/2 connection that sends arbitrary frames.
final class RawHttp2 implements AutoCloseable {

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RESET = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GO_AWAY = 7;
    static final int WINDOW_UPDATE = 8;

    static final int END_STREAM = 1;
    private static final int ACKNOWLEDGED = 1;
    private static final int END_HEADERS = 4;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int STREAM_WINDOW = 4 << 20;
    private static final int CONNECTION_WINDOW = 1 << 30;
    private static final int HEADER_TABLE_BYTES = 64 * 1024;

    /// A frame of the server.
    @SuppressWarnings("ArrayRecordComponent")
    record Frame(int type, int flags, int stream, byte[] payload) {
        boolean endsStream() {
            return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
        }

        int number(int offset) {
            return ByteBuffer.wrap(payload).getInt(offset);
        }
    }

    private final SSLSocket socket;
    private final DataInputStream input;
    private final OutputStream output;
    private final HpackDecoder decoder = new HpackDecoder(HEADER_TABLE_BYTES, System::nanoTime);
    private final Map<Integer, Integer> statuses = new HashMap<>();
    private int nextStream = 1;

    /// Connects, with the flow-control windows of a Go client.
    RawHttp2(URI server, SSLContext tls) throws IOException {
        socket = (SSLSocket) tls.getSocketFactory().createSocket();
        socket.setSoTimeout((int) TIMEOUT.toMillis());
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(server.getHost(), server.getPort()));
        var parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        input = new DataInputStream(socket.getInputStream());
        output = socket.getOutputStream();
        output.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        var settings = ByteBuffer.allocate(6).putShort((short) 4).putInt(STREAM_WINDOW).array();
        send(SETTINGS, 0, 0, settings);
        windowUpdate(0, CONNECTION_WINDOW);
    }

    /// Sends a request without a body, or the start of one; returns its stream.
    int request(String method, String path, boolean ends) throws IOException {
        var stream = nextStream;
        nextStream += 2;
        var block = new ByteArrayOutputStream();
        header(block, ":method", method);
        header(block, ":path", path);
        header(block, ":scheme", "https");
        header(block, ":authority", "berth");
        header(block, "content-type", "application/json");
        send(HEADERS, END_HEADERS | (ends ? END_STREAM : 0), stream, block.toByteArray());
        return stream;
    }

    /// A literal header field without indexing.
    private static void header(ByteArrayOutputStream block, String name, String value) {
        block.write(0);
        text(block, name);
        text(block, value);
    }

    private static void text(ByteArrayOutputStream block, String text) {
        var bytes = text.getBytes(StandardCharsets.US_ASCII);
        if (bytes.length >= 127) {
            throw new IllegalArgumentException(text);
        }
        block.write(bytes.length);
        block.writeBytes(bytes);
    }

    void windowUpdate(int stream, int bytes) throws IOException {
        send(WINDOW_UPDATE, 0, stream, number(bytes));
    }

    void reset(int stream, int code) throws IOException {
        send(RESET, 0, stream, number(code));
    }

    static byte[] number(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    void send(int type, int flags, int stream, byte[] payload) throws IOException {
        output.write(frame(type, flags, stream, payload));
    }

    void send(byte[] frames) throws IOException {
        output.write(frames);
    }

    static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .putShort((short) (payload.length >> 8))
                .put((byte) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /// The next frame; empty when the server has closed the connection.
    Optional<Frame> next() throws IOException {
        try {
            var length = (input.readUnsignedShort() << 8) | input.readUnsignedByte();
            var type = input.readUnsignedByte();
            var flags = input.readUnsignedByte();
            var stream = input.readInt();
            var frame = new Frame(type, flags, stream, input.readNBytes(length));
            if (type == HEADERS) {
                decode(frame);
            }
            if ((type == SETTINGS || type == PING) && (flags & ACKNOWLEDGED) == 0) {
                send(type, ACKNOWLEDGED, 0, type == PING ? frame.payload : new byte[0]);
            }
            return Optional.of(frame);
        } catch (EOFException | SocketException _) {
            return Optional.empty();
        }
    }

    private void decode(Frame frame) throws IOException {
        try {
            if (decoder.decode(ByteBuffer.wrap(frame.payload)) instanceof MetaData.Response head) {
                statuses.put(frame.stream, head.getStatus());
            }
        } catch (HpackException e) {
            throw new IOException(e);
        }
    }

    /// The status of a stream whose header has been read; 0 otherwise.
    int status(int stream) {
        return statuses.getOrDefault(stream, 0);
    }

    /// Reads until the server ends that stream; fails when the connection ends.
    void readToEnd(int stream) throws IOException {
        for (var frame = next(); ; frame = next()) {
            var now = frame.orElseThrow(() -> new EOFException("the connection was closed"));
            if (now.type == GO_AWAY) {
                throw new IOException(
                        "GOAWAY "
                                + new String(
                                        now.payload,
                                        4,
                                        now.payload.length - 4,
                                        StandardCharsets.US_ASCII));
            }
            if (now.stream == stream && now.endsStream()) {
                return;
            }
        }
    }

    /// The error code of the GOAWAY frame with which the server ends the connection.
    Optional<Integer> goAway() throws IOException {
        for (var frame = next(); frame.isPresent(); frame = next()) {
            if (frame.get().type == GO_AWAY) {
                return Optional.of(frame.get().number(4));
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
