package dev.berth.server.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// An answer that goes on until the client, the time or the server says stop.
final class StreamingResponse {

    private static final Logger LOG = LoggerFactory.getLogger(StreamingResponse.class);
    private static final int BLOCK_BYTES = 32 * 1024;

    /// What says things one after the other.
    private interface Saying {
        void say() throws IOException, InterruptedException;
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

    void bytes(ServerResponse.Flowing flowing, Runnable end) {
        run(
                flowing.type(),
                end,
                () -> {
                    var block = new byte[BLOCK_BYTES];
                    var from = flowing.from();
                    for (var length = from.read(block); length >= 0; length = from.read(block)) {
                        Content.Sink.write(response, false, ByteBuffer.wrap(block, 0, length));
                    }
                });
    }

    private void run(String type, Runnable end, Saying saying) {
        try {
            response.setStatus(200);
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
            response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, private");
            // The header goes out at once, so that a client knows that it is being answered.
            Content.Sink.write(response, false, ByteBuffer.allocate(0));
            saying.say();
            callback.succeeded();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            callback.failed(e);
        } catch (Throwable e) {
            callback.failed(e);
            // What the client causes is no news.
            if (!(e instanceof IOException)) {
                LOG.error("an answer that goes on failed", e);
            }
        } finally {
            end.run();
        }
    }
}
