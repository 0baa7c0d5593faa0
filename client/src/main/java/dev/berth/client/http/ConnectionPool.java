package dev.berth.client.http;

import dev.berth.client.config.ClientCertificate;
import dev.berth.client.config.ConfigException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The connections to one server, shared by all requests and watches.
///
/// Java's client has one HTTP/2 connection for a server and fails requests beyond the streams that
/// the server allows on it. The pool fills one client before it opens the next, and learns lower
/// limits from such failures.
///
/// Java's client sends no PING, and its sockets cannot be configured. So the pool sends a request
/// as a probe when nothing was received on a connection for [ClientOptions.Liveness#readIdle]. When
/// nothing is received for [ClientOptions.Liveness#probeTimeout] after that, the server or the
/// network is considered dead: the connection is closed, its requests fail, and are retried on a
/// new one.
final class ConnectionPool implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionPool.class);

    private final Function<Optional<ClientCertificate>, HttpClient> clients;
    private final Probe probe;
    private final ClientOptions.Liveness liveness;

    // Guarded by this, as are the stream counts of the connections.
    private final List<PooledConnection> connections = new ArrayList<>();
    private int limit = PooledConnection.MAX_STREAMS;
    private boolean closed;

    /// Creates the probe request.
    @FunctionalInterface
    interface Probe {
        HttpRequest request() throws IOException;
    }

    ConnectionPool(
            Function<Optional<ClientCertificate>, HttpClient> clients,
            Probe probe,
            ClientOptions.Liveness liveness) {
        this.clients = clients;
        this.probe = probe;
        this.liveness = liveness;
    }

    /// A connection with a reserved stream, which the caller releases.
    synchronized PooledConnection take(Optional<ClientCertificate> certificate) throws IOException {
        if (closed) {
            throw new IOException("the connection has been closed");
        }
        for (var one : connections) {
            if (one.reserve(certificate)) {
                return one;
            }
        }
        // A renewed certificate replaces the old one for all new requests.
        connections.stream().filter(one -> !one.has(certificate)).forEach(PooledConnection::retire);
        connections.removeIf(one -> !one.has(certificate));
        var created = new PooledConnection(clients.apply(certificate), certificate, limit);
        connections.add(created);
        created.reserve(certificate);
        Thread.ofVirtual().name("connection-probe").start(() -> monitor(created));
        return created;
    }

    synchronized void release(PooledConnection connection) {
        connection.release();
    }

    /// The server allows fewer streams than are reserved.
    synchronized void lowerLimit(PooledConnection connection) {
        limit = Math.min(limit, connection.lowerLimit());
    }

    /// Probes the connection now, because a request timed out.
    void probeNow(PooledConnection connection) {
        Thread.ofVirtual()
                .name("connection-probe")
                .start(() -> {
                    try {
                        probe(connection);
                    } catch (InterruptedException _) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    private void monitor(PooledConnection connection) {
        try {
            while (isKept(connection)) {
                var left = liveness.readIdle().minus(connection.idleTime());
                if (left.isPositive()) {
                    Thread.sleep(left);
                } else if (isInUse(connection)) {
                    probe(connection);
                } else {
                    Thread.sleep(liveness.readIdle());
                    retireSpare(connection);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Connections with a replaced certificate are monitored until their last stream has ended.
    private synchronized boolean isKept(PooledConnection connection) {
        return !closed
                && !connection.isLost()
                && (connections.contains(connection) || connection.isInUse());
    }

    private synchronized boolean isInUse(PooledConnection connection) {
        return connection.isInUse();
    }

    /// One idle client is kept for the next request; others are closed.
    private synchronized void retireSpare(PooledConnection connection) {
        if (!connection.isInUse() && connections.size() > 1 && connections.remove(connection)) {
            connection.retire();
        }
    }

    private void probe(PooledConnection connection) throws InterruptedException {
        try {
            if (connection.responds(probe.request(), liveness.probeTimeout())) {
                return;
            }
        } catch (IOException | ConfigException e) {
            // Without credentials there is no probe; requests report the reason.
            LOG.debug("probe skipped: no credentials", e);
            connection.touch();
            return;
        }
        LOG.debug("no response to the probe; closing the connection");
        synchronized (this) {
            connections.remove(connection);
        }
        connection.abort();
    }

    @Override
    public synchronized void close() {
        closed = true;
        connections.forEach(PooledConnection::abort);
        connections.clear();
    }
}
