package dev.berth.server.http;

import dev.berth.server.http.response.ServerResponse;
import dev.berth.server.http.response.WatchFeed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A long-running response: ends when the client disconnects, at a timeout, or when the server
/// stops.
final class StreamingResponse {

    private static final Logger LOG = LoggerFactory.getLogger(StreamingResponse.class);
    private static final int BLOCK_BYTES = 32 * 1024;

    /// Writes the body of the response.
    private interface BodyWriter {
        void write() throws IOException, InterruptedException;
    }

    private final Response response;
    private final Callback callback;

    StreamingResponse(Response response, Callback callback) {
        this.response = response;
        this.callback = callback;
    }

    void events(WatchFeed feed, Runnable end) {
        run(
                feed.encoding().type(),
                end,
                () -> {
                    while (!feed.isEnded()) {
                        var events = feed.next();
                        if (!events.isEmpty()) {
                            Content.Sink.write(response, false, joined(events));
                        }
                    }
                });
    }

    private static ByteBuffer joined(List<byte[]> events) {
        if (events.size() == 1) {
            return ByteBuffer.wrap(events.getFirst());
        }
        var length = 0;
        for (var event : events) {
            length += event.length;
        }
        var joined = ByteBuffer.allocate(length);
        events.forEach(joined::put);
        return joined.flip();
    }

    void bytes(ServerResponse.ByteStream stream, Runnable end) {
        run(
                stream.type(),
                end,
                () -> {
                    var block = new byte[BLOCK_BYTES];
                    var from = stream.from();
                    for (var length = from.read(block); length >= 0; length = from.read(block)) {
                        Content.Sink.write(response, false, ByteBuffer.wrap(block, 0, length));
                    }
                });
    }

    private void run(String type, Runnable end, BodyWriter body) {
        try {
            response.setStatus(200);
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
            response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, private");
            // Sends the header at once, so that the client knows that the request was accepted.
            Content.Sink.write(response, false, ByteBuffer.allocate(0));
            body.write();
            callback.succeeded();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            callback.failed(e);
        } catch (Throwable e) {
            callback.failed(e);
            // Disconnections by the client are not logged.
            if (!(e instanceof IOException)) {
                LOG.error("a long-running response failed", e);
            }
        } finally {
            end.run();
        }
    }
}
