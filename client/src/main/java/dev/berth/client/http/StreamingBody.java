package dev.berth.client.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The body of an answer that is read while it comes. It holds a stream of its connection until it
/// is closed.
final class StreamingBody extends FilterInputStream {

    private static final Logger LOG = LoggerFactory.getLogger(StreamingBody.class);

    private final HttpResponse<InputStream> answer;
    private final PooledConnection connection;
    private final Runnable release;
    private final AtomicBoolean released = new AtomicBoolean();

    StreamingBody(HttpResponse<InputStream> answer, PooledConnection connection, Runnable release) {
        super(answer.body());
        this.answer = answer;
        this.connection = connection;
        this.release = release;
        connection.opened(this);
    }

    @Override
    public int read() throws IOException {
        var read = super.read();
        connection.heard();
        return read;
    }

    @Override
    public int read(byte[] buffer, int from, int length) throws IOException {
        var read = super.read(buffer, from, length);
        connection.heard();
        return read;
    }

    /// Ends the body when it comes over another HTTP/2 connection.
    void leaveUnless(String label) {
        if (answer.version() == HttpClient.Version.HTTP_2
                && answer.connectionLabel().filter(own -> !own.equals(label)).isPresent()) {
            try {
                close();
            } catch (IOException e) {
                LOG.debug("closing a stream failed", e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (released.compareAndSet(false, true)) {
            connection.closed(this);
            release.run();
        }
        super.close();
    }
}
