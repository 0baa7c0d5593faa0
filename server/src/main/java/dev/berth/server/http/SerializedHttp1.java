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

/// HTTP/1.1 connections that are read by one thread at a time.
///
/// The library (Jetty 12.1.12) responds to a malformed request on another thread, which continues
/// reading after the response, while the first thread may not have returned yet. Both then use one
/// buffer, which belongs to another connection as soon as one of them has released it.
final class SerializedHttp1 extends HttpConnectionFactory {

    private final Duration progress;

    /// @param progress timeout of reads and writes without progress
    SerializedHttp1(HttpConfiguration configuration, Duration progress) {
        super(configuration);
        this.progress = progress;
    }

    @Override
    public Connection newConnection(Connector connector, EndPoint endPoint) {
        endPoint.setIdleTimeout(progress.toMillis());
        var connection = new SerializedConnection(getHttpConfiguration(), connector, endPoint);
        connection.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
        return configure(connection, connector, endPoint);
    }

    private static final class SerializedConnection extends HttpConnection {

        /// Guards the parser and its buffer. The wait is short: a thread continues reading only
        /// after a request has ended, when the previous thread is about to return.
        private final ReentrantLock reading = new ReentrantLock();

        private SerializedConnection(
                HttpConfiguration configuration, Connector connector, EndPoint endPoint) {
            super(configuration, connector, endPoint);
        }

        /// Idle connections without a request are handled by [ConnectionTimeouts].
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
