package dev.berth.server.http;

import dev.berth.server.http.response.WatchFeed;
import dev.berth.server.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/// Watches over WebSocket, with one event per message. Some clients try this first.
final class WatchSockets {

    private final Executor threads;
    private final Duration progress;

    /// @param progress timeout for sending an event
    WatchSockets(Executor threads, Duration progress) {
        this.threads = threads;
        this.progress = progress;
    }

    void upgrade(
            Server server,
            Request request,
            Response response,
            Callback callback,
            WatchFeed feed,
            Runnable end) {
        var container = ServerWebSocketContainer.get(server.getContext());
        var upgraded =
                container.upgrade((_, _, _) -> new Socket(feed, end), request, response, callback);
        if (!upgraded) {
            end.run();
            Response.writeError(request, response, callback, 400);
        }
    }

    /// One watch.
    public final class Socket extends Session.Listener.AbstractAutoDemanding {
        private final WatchFeed feed;
        private final Runnable end;

        private Socket(WatchFeed feed, Runnable end) {
            this.feed = feed;
            this.end = end;
        }

        @Override
        public void onWebSocketOpen(Session session) {
            super.onWebSocketOpen(session);
            threads.execute(() -> run(session));
        }

        @Override
        public void onWebSocketClose(
                int statusCode, String reason, org.eclipse.jetty.websocket.api.Callback callback) {
            feed.close();
            super.onWebSocketClose(statusCode, reason, callback);
        }

        @Override
        public void onWebSocketError(Throwable cause) {
            feed.close();
            super.onWebSocketError(cause);
        }

        private void run(Session session) {
            try {
                while (!feed.isEnded() && session.isOpen()) {
                    for (var event : feed.next()) {
                        send(session, event);
                    }
                }
                session.close();
            } catch (ExecutionException | TimeoutException | StoreException _) {
                session.disconnect();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                session.disconnect();
            } finally {
                end.run();
            }
        }

        private void send(Session session, byte[] event)
                throws InterruptedException, ExecutionException, TimeoutException {
            var sent = new org.eclipse.jetty.websocket.api.Callback.Completable();
            var message = feed.encoding().message(event);
            if (feed.encoding().isText()) {
                session.sendText(StandardCharsets.UTF_8.decode(message).toString(), sent);
            } else {
                session.sendBinary(message, sent);
            }
            sent.get(progress.toMillis(), TimeUnit.MILLISECONDS);
        }
    }
}
