package dev.berth.server.http;

import dev.berth.model.json.JsonWriter;
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

/// Carries messages between a client and a node. Each side is only asked for its next message when
/// the last one has gone to the other, so nothing piles up here.
///
/// What the node refuses is told on the channel for results: a client that is refused before would
/// try again in another way, and show what came of that.
public final class NodeProxySocket implements Session.Listener {

    /// How long nobody needs to say anything; as long as a kubelet has it.
    private static final Duration SILENCE = Duration.ofHours(4);

    private static final int RESULT_CHANNEL = 3;

    private final NodeProxySession talk;
    private final Executor threads;
    private final Runnable end;
    private final AtomicBoolean isEnded = new AtomicBoolean();
    private volatile Optional<Session> client = Optional.empty();
    private volatile Optional<WebSocket> node = Optional.empty();

    private NodeProxySocket(NodeProxySession talk, Executor threads, Runnable end) {
        this.talk = talk;
        this.threads = threads;
        this.end = end;
    }

    /// Answers a request with a conversation.
    static void upgrade(
            Server server,
            Request request,
            Response response,
            Callback callback,
            NodeProxySession talk,
            Executor threads,
            Runnable end) {
        var socket = new NodeProxySocket(talk, threads, end);
        var upgraded =
                ServerWebSocketContainer.get(server.getContext())
                        .upgrade(
                                (_, answer, _) -> {
                                    answer.setAcceptedSubProtocol(talk.protocol());
                                    return socket;
                                },
                                request,
                                response,
                                callback);
        if (!upgraded) {
            socket.ended();
            new ResponseWriter(request, response)
                    .send(
                            ServerResponse.failure(
                                    ApiError.badRequest(
                                            "this is no proper beginning of a WebSocket")),
                            callback);
        }
    }

    @Override
    public void onWebSocketOpen(Session session) {
        session.setIdleTimeout(SILENCE);
        client = Optional.of(session);
        threads.execute(() -> connect(session));
    }

    private void connect(Session session) {
        try {
            node = Optional.of(talk.begin(new FromNode(session)));
            session.demand();
        } catch (ApiException refused) {
            tell(session, refused.error());
        }
    }

    private static void tell(Session session, ApiError failure) {
        var message = new ByteArrayOutputStream();
        message.write(RESULT_CHANNEL);
        message.writeBytes(JsonWriter.compact(failure.toJson()).getBytes(StandardCharsets.UTF_8));
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
        ended();
        callback.succeed();
    }

    @Override
    public void onWebSocketError(Throwable cause) {
        ended();
    }

    private void ended() {
        node.ifPresent(WebSocket::abort);
        if (isEnded.compareAndSet(false, true)) {
            end.run();
        }
    }

    /// What the node says.
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
                    "the node went away",
                    org.eclipse.jetty.websocket.api.Callback.NOOP);
        }
    }
}
