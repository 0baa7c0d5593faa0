package dev.berth.node.cri;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.Deflater;

/// SPDY 3.1 connection with several streams, after an upgrade of HTTP/1.1, as the streaming servers
/// of runtimes use it. It is their only protocol that can signal the end of a single stream.
///
/// It implements only what exec needs. The client opens all streams, so response headers have no
/// meaning and are not decompressed. The servers limit no windows, so none are counted. Request
/// headers are compressed without the preset dictionary, which zlib readers detect.
final class SpdyConnection implements AutoCloseable {

    private static final int CONNECT_MILLIS = (int) Duration.ofSeconds(10).toMillis();

    private static final int CONTROL_VERSION_3 = 0x8003;
    private static final int SYN_STREAM = 1;
    private static final int RST_STREAM = 3;
    private static final int PING = 6;
    private static final int GO_AWAY = 7;
    private static final int FIN = 1;

    private static final int MAX_HEAD_BYTES = 16 * 1024;
    private static final int MAX_DATA_BYTES = 64 * 1024;

    private final Socket socket;
    private final DataInputStream in;

    /// Guards sending: frames must not interleave, and headers are compressed in the order of
    /// sending.
    private final Object sendLock = new Object();

    private final DataOutputStream out;
    private final Deflater deflater = new Deflater();
    private int nextStream = 1;
    private final Map<Integer, ByteQueue> streams = new ConcurrentHashMap<>();

    private SpdyConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(socket.getOutputStream());
    }

    /// Connects.
    ///
    /// @param protocol of the streams
    static SpdyConnection open(URI url, String protocol) throws IOException {
        if (!"http".equals(url.getScheme()) || url.getHost() == null) {
            throw new IOException(
                    url + " is not plain HTTP; disable TLS for streaming in the runtime");
        }
        var socket = new Socket();
        try {
            socket.connect(
                    new InetSocketAddress(url.getHost(), url.getPort() < 0 ? 80 : url.getPort()),
                    CONNECT_MILLIS);
            socket.setTcpNoDelay(true);
            var connection = new SpdyConnection(socket);
            connection.upgrade(url, protocol);
            Thread.ofVirtual().name("spdy").start(connection::read);
            return connection;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void upgrade(URI url, String protocol) throws IOException {
        var path = url.getRawPath() + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery());
        var head =
                """
                POST %s HTTP/1.1
                Host: %s
                Connection: Upgrade
                Upgrade: SPDY/3.1
                X-Stream-Protocol-Version: %s
                Content-Length: 0

                """
                        .formatted(path, url.getRawAuthority(), protocol);
        out.write(head.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
        var response = head();
        if (!response.startsWith("HTTP/1.1 101 ")) {
            throw new IOException("it responds " + response.lines().findFirst().orElse("nothing"));
        }
    }

    /// Reads the response head, up to the first empty line.
    private String head() throws IOException {
        var text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            var next = in.read();
            if (next < 0 || text.length() > MAX_HEAD_BYTES) {
                break;
            }
            text.append((char) next);
        }
        return text.toString();
    }

    /// Both directions of a stream.
    record Stream(InputStream in, OutputStream out) {}

    /// Opens a stream of a type such as `stdin`.
    Stream stream(String type) throws IOException {
        synchronized (sendLock) {
            var id = nextStream;
            nextStream += 2;
            var queue = new ByteQueue();
            streams.put(id, queue);
            var content = new ByteArrayOutputStream();
            var fields = new DataOutputStream(content);
            fields.writeInt(id);
            fields.writeInt(0);
            fields.writeShort(0);
            fields.write(compressed("streamtype", type));
            control(SYN_STREAM, content.toByteArray());
            return new Stream(queue, new StreamOutput(id));
        }
    }

    /// A compressed block with one header.
    private byte[] compressed(String name, String value) throws IOException {
        var block = new ByteArrayOutputStream();
        var fields = new DataOutputStream(block);
        fields.writeInt(1);
        for (var text : new String[] {name, value}) {
            fields.writeInt(text.length());
            fields.write(text.getBytes(StandardCharsets.US_ASCII));
        }
        deflater.setInput(block.toByteArray());
        var buffer = new byte[MAX_HEAD_BYTES];
        var length = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH);
        return Arrays.copyOf(buffer, length);
    }

    private void control(int type, byte[] content) throws IOException {
        synchronized (sendLock) {
            out.writeShort(CONTROL_VERSION_3);
            out.writeShort(type);
            out.writeInt(content.length);
            out.write(content);
            out.flush();
        }
    }

    private void data(int stream, int flags, byte[] bytes, int from, int length)
            throws IOException {
        synchronized (sendLock) {
            out.writeInt(stream);
            out.writeInt(flags << 24 | length);
            out.write(bytes, from, length);
            out.flush();
        }
    }

    /// Outgoing direction of a stream.
    private final class StreamOutput extends OutputStream {
        private final int stream;
        private boolean isClosed;

        private StreamOutput(int stream) {
            this.stream = stream;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) throws IOException {
            if (isClosed) {
                throw new IOException("the stream is closed");
            }
            for (var at = 0; at < length; at += MAX_DATA_BYTES) {
                data(stream, 0, bytes, from + at, Math.min(MAX_DATA_BYTES, length - at));
            }
        }

        @Override
        public synchronized void close() throws IOException {
            if (!isClosed) {
                isClosed = true;
                data(stream, FIN, new byte[0], 0, 0);
            }
        }
    }

    private void read() {
        try {
            while (frame()) {
                // All work is done in the condition.
            }
        } catch (IOException _) {
            // The peer or this side has closed the connection, which ends all streams.
        } finally {
            streams.values().forEach(ByteQueue::end);
        }
    }

    /// Reads a frame; false for the last one.
    private boolean frame() throws IOException {
        var first = in.readInt();
        var second = in.readInt();
        var flags = second >>> 24;
        var content = in.readNBytes(second & 0xff_ffff);
        if (first >= 0) {
            var queue = streams.get(first);
            if (queue != null) {
                queue.put(content);
                if ((flags & FIN) != 0) {
                    queue.end();
                }
            }
            return true;
        }
        return switch (first & 0xffff) {
            case PING -> {
                // Pings with even numbers are from the peer and must be returned.
                if (content.length == 4 && (content[3] & 1) == 0) {
                    control(PING, content);
                }
                yield true;
            }
            case RST_STREAM -> {
                var queue = streams.get(number(content));
                if (queue != null) {
                    queue.end();
                }
                yield true;
            }
            case GO_AWAY -> false;
            default -> true;
        };
    }

    private static int number(byte[] content) {
        return content.length < 4 ? 0 : ByteBuffer.wrap(content).getInt();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException _) {
            // Errors of closing are irrelevant.
        }
        streams.values().forEach(ByteQueue::end);
        synchronized (sendLock) {
            deflater.end();
        }
    }
}
