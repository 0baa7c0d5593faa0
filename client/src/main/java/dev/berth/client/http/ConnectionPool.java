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

/// The connections to one server, shared by all calls and watches.
///
/// Java's client has one HTTP/2 connection for a server and fails requests beyond the streams that
/// the server allows on it. The pool fills one client before it opens the next, and learns lower
/// limits from such failures.
///
/// Java's client sends no PING, and its sockets cannot be configured. So a connection from which
/// nothing has come for [ClientOptions.Liveness#readIdle] gets a request as probe. When nothing
/// comes for [ClientOptions.Liveness#probeTimeout] after that, the network or the server has gone
/// without a word: the connection is closed and everything on it fails, to go on over a new one.
final class ConnectionPool implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionPool.class);

    private final Function<Optional<ClientCertificate>, HttpClient> clients;
    private final Probe probe;
    private final ClientOptions.Liveness liveness;

    // Guarded by this, as are the streams of each.
    private final List<PooledConnection> connections = new ArrayList<>();
    private int limit = PooledConnection.MAX_STREAMS;
    private boolean closed;

    /// Makes the request that shows whether the server is there.
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

    /// A connection with a stream reserved on it, to be released.
    synchronized PooledConnection take(Optional<ClientCertificate> certificate) throws IOException {
        if (closed) {
            throw new IOException("the connection has been closed");
        }
        for (var one : connections) {
            if (one.reserve(certificate)) {
                return one;
            }
        }
        // A certificate that was renewed replaces the old one for all new requests.
        connections.stream().filter(one -> !one.has(certificate)).forEach(PooledConnection::retire);
        connections.removeIf(one -> !one.has(certificate));
        var made = new PooledConnection(clients.apply(certificate), certificate, limit);
        connections.add(made);
        made.reserve(certificate);
        Thread.ofVirtual().name("connection-probe").start(() -> monitor(made));
        return made;
    }

    synchronized void release(PooledConnection connection) {
        connection.release();
    }

    /// The server allows fewer streams than were reserved.
    synchronized void lowerLimit(PooledConnection connection) {
        limit = Math.min(limit, connection.lowerLimit());
    }

    /// A request got no answer in time: the connection is probed at once.
    void suspect(PooledConnection connection) {
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
                var left = liveness.readIdle().minus(connection.silence());
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

    /// Those of a certificate that was replaced are watched until their last stream has ended.
    private synchronized boolean isKept(PooledConnection connection) {
        return !closed
                && !connection.isLost()
                && (connections.contains(connection) || connection.isInUse());
    }

    private synchronized boolean isInUse(PooledConnection connection) {
        return connection.isInUse();
    }

    /// One client is kept for the next request, the others only while they are needed.
    private synchronized void retireSpare(PooledConnection connection) {
        if (!connection.isInUse() && connections.size() > 1 && connections.remove(connection)) {
            connection.retire();
        }
    }

    private void probe(PooledConnection connection) throws InterruptedException {
        try {
            if (connection.answers(probe.request(), liveness.probeTimeout())) {
                return;
            }
        } catch (IOException | ConfigException e) {
            // Without credentials there is no probe; requests report the reason.
            LOG.debug("no probe", e);
            connection.heard();
            return;
        }
        LOG.debug("the server is silent; its connection is closed");
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
