package dev.berth.client.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The body of a response that is read while it arrives. It holds a stream of its connection until
/// it is closed.
final class StreamingBody extends FilterInputStream {

    private static final Logger LOG = LoggerFactory.getLogger(StreamingBody.class);

    private final HttpResponse<InputStream> response;
    private final PooledConnection connection;
    private final Runnable release;
    private final AtomicBoolean released = new AtomicBoolean();

    StreamingBody(
            HttpResponse<InputStream> response, PooledConnection connection, Runnable release) {
        super(response.body());
        this.response = response;
        this.connection = connection;
        this.release = release;
        connection.opened(this);
    }

    @Override
    public int read() throws IOException {
        var read = super.read();
        connection.touch();
        return read;
    }

    @Override
    public int read(byte[] buffer, int from, int length) throws IOException {
        var read = super.read(buffer, from, length);
        connection.touch();
        return read;
    }

    /// Closes the body when it arrives over another HTTP/2 connection.
    void closeUnless(String label) {
        if (response.version() == HttpClient.Version.HTTP_2
                && response.connectionLabel().filter(own -> !own.equals(label)).isPresent()) {
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
