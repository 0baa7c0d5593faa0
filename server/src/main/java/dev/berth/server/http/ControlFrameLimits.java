package dev.berth.server.http;

import dev.berth.server.http.limit.ThrottledLog;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.frames.Frame;
import org.eclipse.jetty.http2.frames.WindowUpdateFrame;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.RateControl;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// HTTP/2 connections with rate limits for control frames, which cost the server work and the
/// client nothing.
///
/// WINDOW_UPDATE is legitimate in proportion to the data that was sent: Go clients send one for the
/// stream and one for the connection for every 4 KiB that they read, other clients for every DATA
/// frame, and often after the stream was closed. So each connection has a credit that grows with
/// the bytes that the server writes to it. All other control frames have a credit that grows with
/// time, large enough to cancel all streams of a connection at once.
final class ControlFrameLimits extends HTTP2ServerConnectionFactory {

    private static final Logger LOG = LoggerFactory.getLogger(ControlFrameLimits.class);

    /// Burst size: each stream may be reset by both sides, followed by a PING.
    private static final int BURST = 5 * HttpListener.STREAMS_PER_CONNECTION;

    private static final int FRAMES_PER_SECOND = 128;

    /// Watch events are larger, so a client may send two WINDOW_UPDATE frames for each.
    private static final int BYTES_PER_WINDOW_UPDATE = 128;

    private static final int WINDOW_UPDATES_PER_SECOND = 1_000;

    /// For clients that read the buffered data of many streams at once.
    private static final int MOST_WINDOW_UPDATES = 200_000;

    private final ApiServerMetrics metrics;
    private final ThrottledLog log = new ThrottledLog(LOG, Level.WARN);

    ControlFrameLimits(HttpConfiguration configuration, ApiServerMetrics metrics) {
        super(configuration);
        this.metrics = metrics;
        setRateControlFactory(
                new RateControl.Factory() {
                    @Override
                    public RateControl newRateControl(EndPoint endPoint) {
                        return controlFrames(endPoint);
                    }
                });
    }

    /// WINDOW_UPDATE frames pass here: they are counted when they arrive.
    private RateControl controlFrames(EndPoint endPoint) {
        var credit = new Credit(BURST, BURST, FRAMES_PER_SECOND, System.nanoTime());
        return event -> {
            if ((event instanceof WindowUpdateFrame update && update.getWindowDelta() > 0)
                    || credit.take(0, System.nanoTime())) {
                return true;
            }
            reportFlood(endPoint, event.getClass().getSimpleName());
            return false;
        };
    }

    private void reportFlood(EndPoint endPoint, String frame) {
        metrics.controlFrameFloodClosed();
        log.log(() ->
                "closing HTTP/2 connection of %s: too many control frames (%s)"
                        .formatted(endPoint.getRemoteSocketAddress(), frame));
    }

    @Override
    public Connection newConnection(Connector connector, EndPoint endPoint) {
        var connection = (HTTP2Connection) super.newConnection(connector, endPoint);
        connection.getSession().addEventListener(new WindowUpdates(connector, endPoint));
        return connection;
    }

    /// Counts the WINDOW_UPDATE frames of one connection.
    private final class WindowUpdates implements HTTP2Session.FrameListener {
        private final Connector connector;
        private final EndPoint endPoint;
        private final Credit credit =
                new Credit(
                        BURST, MOST_WINDOW_UPDATES, WINDOW_UPDATES_PER_SECOND, System.nanoTime());
        private final AtomicBoolean isClosing = new AtomicBoolean();

        private WindowUpdates(Connector connector, EndPoint endPoint) {
            this.connector = connector;
            this.endPoint = endPoint;
        }

        @Override
        public void onIncomingFrame(Session session, Frame frame) {
            if (!(frame instanceof WindowUpdateFrame)
                    || !(session instanceof HTTP2Session http2)
                    || credit.take(
                            http2.getBytesWritten() / BYTES_PER_WINDOW_UPDATE, System.nanoTime())) {
                return;
            }
            if (isClosing.compareAndSet(false, true)) {
                reportFlood(endPoint, frame.getClass().getSimpleName());
                // Not on this thread: the library is still processing the frame.
                connector
                        .getExecutor()
                        .execute(() ->
                                http2.onConnectionFailure(
                                        ErrorCode.ENHANCE_YOUR_CALM_ERROR.code,
                                        "window_update_frame_rate"));
            }
        }
    }

    /// A token bucket that is refilled by time and by bytes written.
    static final class Credit {
        private final int most;
        private final int perSecond;
        private double tokens;
        private long lastNanos;
        private long lastEarned;

        Credit(int first, int most, int perSecond, long nowNanos) {
            this.most = most;
            this.perSecond = perSecond;
            this.tokens = first;
            this.lastNanos = nowNanos;
        }

        /// Takes one token; false when there is none.
        ///
        /// @param earned tokens since the start, except those refilled by time; never decreases
        synchronized boolean take(long earned, long nowNanos) {
            var more = earned - lastEarned + (nowNanos - lastNanos) / 1e9 * perSecond;
            lastEarned = earned;
            lastNanos = nowNanos;
            tokens = Math.min(most, tokens + more);
            if (tokens < 1) {
                return false;
            }
            tokens--;
            return true;
        }
    }
}
