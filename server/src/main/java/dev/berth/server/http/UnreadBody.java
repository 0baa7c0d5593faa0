package dev.berth.server.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;

/// Discards the body of a request that was answered without reading it, up to a limit: otherwise
/// clients that are still sending see a broken connection instead of the response. Exceeding the
/// limit closes the connection (HTTP/1.1) or the stream (HTTP/2).
final class UnreadBody {

    private static final long MAX_BYTES = 256 * 1024;
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final Request request;
    private final Callback callback;
    private final AtomicBoolean isDone = new AtomicBoolean();
    private long discarded;

    private UnreadBody(Request request, Callback callback) {
        this.request = request;
        this.callback = callback;
    }

    /// Discards the body, then completes the callback.
    static void discard(Request request, Callback callback) {
        var body = new UnreadBody(request, callback);
        if (request.getHeaders().contains(HttpHeader.EXPECT)) {
            // Reading the body would send "100 Continue".
            body.stop();
            return;
        }
        body.read();
        if (!body.isDone.get()) {
            var _ =
                    request.getComponents()
                            .getScheduler()
                            .schedule(body::stop, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void read() {
        while (discarded <= MAX_BYTES) {
            var chunk = request.read();
            if (chunk == null) {
                request.demand(this::read);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                break;
            }
            discarded += chunk.remaining();
            chunk.release();
            if (chunk.isLast()) {
                end(callback::succeeded);
                return;
            }
        }
        stop();
    }

    private void stop() {
        end(this::reset);
    }

    private void end(Runnable action) {
        if (isDone.compareAndSet(false, true)) {
            action.run();
        }
    }

    /// Resets an HTTP/2 stream with NO_ERROR: the rest of the body is not needed. The library would
    /// use CANCEL. For HTTP/1.1, the library closes the connection.
    private void reset() {
        if (request.getConnectionMetaData().getConnection() instanceof HTTP2Connection connection) {
            var id = Integer.parseInt(request.getId());
            var stream = connection.getSession().getStream(id);
            if (stream != null) {
                stream.reset(
                        new ResetFrame(id, ErrorCode.NO_ERROR.code),
                        Callback.from(callback::succeeded));
                return;
            }
        }
        callback.succeeded();
    }
}
