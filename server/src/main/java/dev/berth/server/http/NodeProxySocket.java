package dev.berth.server.http;

import dev.berth.model.json.JsonWriter;
import dev.berth.server.http.response.NodeProxySession;
import dev.berth.server.http.response.ServerResponse;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.ApiException;
import java.io.ByteArrayOutputStream;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.StatusCode;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.jspecify.annotations.Nullable;

/// Forwards WebSocket messages between a client and a node. The next message of one side is
/// requested only when the last one was sent to the other side, so nothing is buffered.
///
/// Errors of the node are sent on the error channel: if the upgrade itself failed, clients would
/// retry with another protocol and report the error of that one.
public final class NodeProxySocket implements Session.Listener {

    /// Idle timeout; the same as that of the kubelet.
    private static final Duration IDLE_TIMEOUT = Duration.ofHours(4);

    private static final int ERROR_CHANNEL = 3;

    private final NodeProxySession proxied;
    private final Executor threads;
    private final Runnable end;
    private final AtomicBoolean isEnded = new AtomicBoolean();
    private volatile Optional<Session> client = Optional.empty();
    private volatile Optional<WebSocket> node = Optional.empty();

    private NodeProxySocket(NodeProxySession proxied, Executor threads, Runnable end) {
        this.proxied = proxied;
        this.threads = threads;
        this.end = end;
    }

    /// Upgrades a request to a WebSocket.
    static void upgrade(
            Server server,
            Request request,
            Response response,
            Callback callback,
            NodeProxySession proxied,
            Executor threads,
            Runnable end) {
        var socket = new NodeProxySocket(proxied, threads, end);
        var upgraded =
                ServerWebSocketContainer.get(server.getContext())
                        .upgrade(
                                (_, upgrade, _) -> {
                                    upgrade.setAcceptedSubProtocol(proxied.protocol());
                                    return socket;
                                },
                                request,
                                response,
                                callback);
        if (!upgraded) {
            socket.release();
            new ResponseWriter(request, response)
                    .send(
                            ServerResponse.error(
                                    ApiError.badRequest("not a valid WebSocket upgrade request")),
                            callback);
        }
    }

    @Override
    public void onWebSocketOpen(Session session) {
        session.setIdleTimeout(IDLE_TIMEOUT);
        client = Optional.of(session);
        threads.execute(() -> connect(session));
    }

    private void connect(Session session) {
        try {
            node = Optional.of(proxied.open(new FromNode(session)));
            session.demand();
        } catch (ApiException e) {
            sendError(session, e.error());
        }
    }

    private static void sendError(Session session, ApiError error) {
        var message = new ByteArrayOutputStream();
        message.write(ERROR_CHANNEL);
        message.writeBytes(JsonWriter.compact(error.toJson()).getBytes(StandardCharsets.UTF_8));
        session.sendBinary(
                ByteBuffer.wrap(message.toByteArray()),
                org.eclipse.jetty.websocket.api.Callback.from(
                        () ->
                                session.close(
                                        StatusCode.NORMAL,
                                        "",
                                        org.eclipse.jetty.websocket.api.Callback.NOOP),
                        _ -> session.disconnect()));
    }

    @Override
    public void onWebSocketPartialBinary(
            ByteBuffer payload, boolean last, org.eclipse.jetty.websocket.api.Callback callback) {
        var to = node;
        if (to.isEmpty()) {
            callback.succeed();
            return;
        }
        var _ =
                to.get()
                        .sendBinary(payload, last)
                        .whenComplete((_, failure) -> {
                            if (failure == null) {
                                callback.succeed();
                                client.filter(Session::isOpen).ifPresent(Session::demand);
                            } else {
                                callback.fail(failure);
                            }
                        });
    }

    @Override
    public void onWebSocketClose(
            int statusCode, String reason, org.eclipse.jetty.websocket.api.Callback callback) {
        release();
        callback.succeed();
    }

    @Override
    public void onWebSocketError(Throwable cause) {
        release();
    }

    private void release() {
        node.ifPresent(WebSocket::abort);
        if (isEnded.compareAndSet(false, true)) {
            end.run();
        }
    }

    /// Forwards messages of the node to the client.
    private static final class FromNode implements WebSocket.Listener {
        private final Session session;

        private FromNode(Session session) {
            this.session = session;
        }

        @Override
        public @Nullable CompletionStage<?> onBinary(
                WebSocket from, ByteBuffer data, boolean last) {
            var sent = new org.eclipse.jetty.websocket.api.Callback.Completable();
            session.sendPartialBinary(data, last, sent);
            return sent.whenComplete((_, failure) -> {
                if (failure == null) {
                    from.request(1);
                } else {
                    from.abort();
                }
            });
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            session.close(StatusCode.NORMAL, "", org.eclipse.jetty.websocket.api.Callback.NOOP);
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable error) {
            session.close(
                    StatusCode.SERVER_ERROR,
                    "connection to the node failed",
                    org.eclipse.jetty.websocket.api.Callback.NOOP);
        }
    }
}
