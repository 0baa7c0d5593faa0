package dev.berth.server.http;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.internal.HttpConnection;

/// Connections of HTTP/1.1 that are read by one thread at a time.
///
/// The library (Jetty 12.1.12) answers a request that it cannot read on another thread, which goes
/// on reading when it has answered, while the first one may not have left yet. Both then use one
/// buffer, which belongs to another connection as soon as one of them has given it back.
final class SerializedHttp1 extends HttpConnectionFactory {

    private final Duration progress;

    /// @param progress how long a request may neither read nor write a byte while it wants to
    SerializedHttp1(HttpConfiguration configuration, Duration progress) {
        super(configuration);
        this.progress = progress;
    }

    @Override
    public Connection newConnection(Connector connector, EndPoint endPoint) {
        endPoint.setIdleTimeout(progress.toMillis());
        var connection = new OrderlyConnection(getHttpConfiguration(), connector, endPoint);
        connection.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
        return configure(connection, connector, endPoint);
    }

    private static final class OrderlyConnection extends HttpConnection {

        /// Guards the parser and the buffer that it reads. Nobody waits for long: whoever goes on
        /// reading does so when a request is over, and the one before has only to leave.
        private final ReentrantLock reading = new ReentrantLock();

        private OrderlyConnection(
                HttpConfiguration configuration, Connector connector, EndPoint endPoint) {
            super(configuration, connector, endPoint);
        }

        /// Connections without a request are left to [ConnectionTimeouts].
        @Override
        public boolean onIdleExpired(TimeoutException timeout) {
            return getHttpChannel().getRequest() != null && super.onIdleExpired(timeout);
        }

        @Override
        public void onFillable() {
            reading.lock();
            try {
                super.onFillable();
            } finally {
                reading.unlock();
            }
        }
    }
}
