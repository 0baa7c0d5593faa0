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

/// A connection with several streams, as the streaming servers of runtimes speak it: SPDY 3.1 after
/// an upgrade of HTTP/1.1. It is the only way of theirs in which the end of one stream can be told.
///
/// Only what conversations need is here. Streams are opened by us, so the headers that come back
/// mean nothing and are not unpacked; the other side limits no windows, so none are counted; the
/// headers that we send are packed without the preset dictionary, which readers of zlib notice by
/// themselves.
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

    /// Guards what is sent: frames must not mix, and headers are packed in the order of sending.
    private final Object sending = new Object();

    private final DataOutputStream out;
    private final Deflater packing = new Deflater();
    private int nextStream = 1;
    private final Map<Integer, ByteQueue> streams = new ConcurrentHashMap<>();

    private SpdyConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(socket.getOutputStream());
    }

    /// Connects.
    ///
    /// @param protocol what the streams mean
    static SpdyConnection open(URI url, String protocol) throws IOException {
        if (!"http".equals(url.getScheme()) || url.getHost() == null) {
            throw new IOException(
                    url + " is not plain HTTP; switch off TLS for streaming in the runtime");
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
        var answer = head();
        if (!answer.startsWith("HTTP/1.1 101 ")) {
            throw new IOException("it answers " + answer.lines().findFirst().orElse("nothing"));
        }
    }

    /// The lines before the first empty one.
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
        synchronized (sending) {
            var id = nextStream;
            nextStream += 2;
            var queue = new ByteQueue();
            streams.put(id, queue);
            var content = new ByteArrayOutputStream();
            var fields = new DataOutputStream(content);
            fields.writeInt(id);
            fields.writeInt(0);
            fields.writeShort(0);
            fields.write(packed("streamtype", type));
            control(SYN_STREAM, content.toByteArray());
            return new Stream(queue, new Sending(id));
        }
    }

    /// A block with one header.
    private byte[] packed(String name, String value) throws IOException {
        var block = new ByteArrayOutputStream();
        var fields = new DataOutputStream(block);
        fields.writeInt(1);
        for (var text : new String[] {name, value}) {
            fields.writeInt(text.length());
            fields.write(text.getBytes(StandardCharsets.US_ASCII));
        }
        packing.setInput(block.toByteArray());
        var packed = new byte[MAX_HEAD_BYTES];
        var length = packing.deflate(packed, 0, packed.length, Deflater.SYNC_FLUSH);
        return Arrays.copyOf(packed, length);
    }

    private void control(int type, byte[] content) throws IOException {
        synchronized (sending) {
            out.writeShort(CONTROL_VERSION_3);
            out.writeShort(type);
            out.writeInt(content.length);
            out.write(content);
            out.flush();
        }
    }

    private void data(int stream, int flags, byte[] bytes, int from, int length)
            throws IOException {
        synchronized (sending) {
            out.writeInt(stream);
            out.writeInt(flags << 24 | length);
            out.write(bytes, from, length);
            out.flush();
        }
    }

    /// Our direction of a stream.
    private final class Sending extends OutputStream {
        private final int stream;
        private boolean isClosed;

        private Sending(int stream) {
            this.stream = stream;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) throws IOException {
            if (isClosed) {
                throw new IOException("the stream was closed");
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
                // All is done there.
            }
        } catch (IOException _) {
            // The other side has ended, or we have: both are the end of all streams.
        } finally {
            streams.values().forEach(ByteQueue::end);
        }
    }

    /// Reads a frame; false when it is the last one.
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
                // Even numbers are the other side's: it wants them back.
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
            // There is nobody left to tell.
        }
        streams.values().forEach(ByteQueue::end);
        synchronized (sending) {
            packing.end();
        }
    }
}
