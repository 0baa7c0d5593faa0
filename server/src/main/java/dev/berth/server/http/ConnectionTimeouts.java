package dev.berth.server.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.NegotiatingServerConnection;
import org.eclipse.jetty.server.internal.HttpConnection;

/// Closes connections that stay in one phase for too long: in the TLS handshake, in the header of a
/// request, idle, or with a response that the client does not read.
///
/// Connections are inspected periodically, so requests have no overhead. Bytes that trickle in do
/// not prolong a phase, unlike with the idle timeout of the HTTP library.
final class ConnectionTimeouts implements Connection.Listener {

    private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(1);
    private static final int INSPECTIONS_PER_TIMEOUT = 4;

    private final HttpTimeouts timeouts;
    private final ApiServerMetrics metrics;
    private final Map<SslConnection, Inspected> connections = new ConcurrentHashMap<>();

    ConnectionTimeouts(HttpTimeouts timeouts, ApiServerMetrics metrics) {
        this.timeouts = timeouts;
        this.metrics = metrics;
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof SslConnection tls) {
            connections.put(tls, new Inspected(tls));
        }
    }

    @Override
    public void onClosed(Connection connection) {
        if (connection instanceof SslConnection tls) {
            connections.remove(tls);
        }
    }

    /// Inspects all connections until it is interrupted.
    void run() {
        try {
            while (true) {
                Thread.sleep(interval());
                var now = System.nanoTime();
                connections.values().forEach(one -> one.inspect(now));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration interval() {
        var shortest = LONGEST_INTERVAL.multipliedBy(INSPECTIONS_PER_TIMEOUT);
        for (var phase : Phase.values()) {
            var limit = limit(phase);
            shortest = limit.compareTo(shortest) < 0 ? limit : shortest;
        }
        return shortest.dividedBy(INSPECTIONS_PER_TIMEOUT);
    }

    private Duration limit(Phase phase) {
        return switch (phase) {
            case HANDSHAKE -> timeouts.handshake();
            case HEADERS -> timeouts.headers();
            case IDLE -> timeouts.idle();
            case SENDING -> timeouts.progress();
            case SERVING -> Duration.ofDays(1);
        };
    }

    /// The phase of a connection that has a timeout.
    enum Phase {
        HANDSHAKE,
        HEADERS,
        IDLE,
        /// Response bytes are waiting to be read by the client.
        SENDING,
        /// The server is processing a request, or a watch has no events: no limit.
        SERVING
    }

    /// A phase, and a counter that changes when the connection makes progress in it.
    private record State(Phase phase, long progress) {}

    /// Used by the inspecting thread only.
    private final class Inspected {
        private final SslConnection tls;
        private State state = new State(Phase.HANDSHAKE, 0);
        private long since = System.nanoTime();

        private Inspected(SslConnection tls) {
            this.tls = tls;
        }

        private void inspect(long now) {
            var current = state(tls);
            if (!current.equals(state)) {
                state = current;
                since = now;
                return;
            }
            if (current.phase != Phase.SERVING && now - since > limit(current.phase).toNanos()) {
                metrics.connectionTimedOut(current.phase);
                tls.getEndPoint().close();
            }
        }
    }

    private static State state(SslConnection tls) {
        var connection = tls.getSslEndPoint().getConnection();
        if (isSending(tls) && (isHttp1(connection) || connection instanceof HTTP2Connection)) {
            return new State(Phase.SENDING, tls.getBytesOut());
        }
        return switch (connection) {
            case HttpConnection http1 -> state(http1);
            case HTTP2Connection http2 -> state(http2);
            case NegotiatingServerConnection _ -> new State(Phase.HANDSHAKE, 0);
            // WebSockets have timeouts of their own.
            case null, default -> new State(Phase.SERVING, 0);
        };
    }

    private static boolean isHttp1(Connection connection) {
        return connection instanceof HttpConnection;
    }

    private static boolean isSending(SslConnection tls) {
        return tls.getEndPoint() instanceof AbstractEndPoint socket
                && socket.getWriteFlusher().isPending();
    }

    private static State state(HttpConnection connection) {
        var requests = connection.getMessagesIn();
        var parser = connection.getParser();
        if (connection.getHttpChannel().getRequest() != null) {
            return new State(Phase.SERVING, requests);
        }
        var isBetweenRequests = requests > 0 && parser.isStart();
        return new State(isBetweenRequests ? Phase.IDLE : Phase.HEADERS, requests);
    }

    private static State state(HTTP2Connection connection) {
        var session = connection.getSession();
        var requests = session.getStreamsOpened();
        if (session.getStreamCount() > 0) {
            return new State(Phase.SERVING, requests);
        }
        return new State(requests == 0 ? Phase.HEADERS : Phase.IDLE, requests);
    }
}
