package dev.berth.server.http;

import dev.berth.model.text.FailureText;
import dev.berth.server.access.User;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.ApiException;
import dev.berth.server.store.StoreException;
import java.io.UncheckedIOException;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One request and its answer: authenticates, takes a seat, lets the router authorize and answer,
/// and sends the answer. The seat is kept until the client has taken the answer.
final class RequestExchange {

    private static final Logger LOG = LoggerFactory.getLogger(RequestExchange.class);

    /// Answers that are large enough to count against the memory for answers.
    private static final int COUNTED_FROM_BYTES = 64 * 1024;

    private final ApiHandler.Parts parts;
    private final WatchSockets sockets;
    private final Server server;
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final ApiServerMetrics.Measured measured;
    private final MemoryBudget.Share memory;
    private final RequestBody body;
    private Seats.Seat seat = Seats.EXEMPT;
    private User user = User.anonymous();

    RequestExchange(
            ApiHandler.Parts parts,
            WatchSockets sockets,
            Server server,
            Request request,
            Response response,
            Callback callback) {
        this.parts = parts;
        this.sockets = sockets;
        this.server = server;
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.measured = parts.metrics().begin(request.getMethod(), request.getHttpURI().getPath());
        this.memory = parts.memory().share();
        this.body = new RequestBody(request, parts.limits(), memory);
    }

    void run() {
        try {
            switch (reply()) {
                case ServerResponse.Content content -> send(content);
                case ServerResponse lasting -> {
                    // What lasts has seats of its own.
                    release();
                    last(lasting);
                }
            }
        } catch (Throwable e) {
            release();
            callback.failed(e);
        }
    }

    private void release() {
        memory.close();
        seat.close();
    }

    private ServerResponse reply() {
        try {
            return parts.durability().answer(this::answer, this::failure);
        } catch (StoreException e) {
            parts.failures().log(() -> "the store failed: " + e.getMessage());
            return failure(ApiError.unavailable(message(e)));
        } catch (UncheckedIOException e) {
            return failure(ApiError.badRequest("the body ended too early"));
        } catch (OutOfMemoryError e) {
            parts.failures()
                    .log(() ->
                            "%s %s failed: %s"
                                    .formatted(request.getMethod(), path(), FailureText.of(e)));
            return ServerResponse.failure(ApiError.internal("the server is out of memory"));
        } catch (RuntimeException | Error e) {
            LOG.error("{} {} failed", request.getMethod(), path(), e);
            return ServerResponse.failure(
                    ApiError.internal("see the server's log for what went wrong"));
        }
    }

    private ServerResponse.Content failure(ApiError failure) {
        return ServerResponse.failure(
                failure,
                MediaNegotiation.ofFailure(request.getHeaders().getValuesList(HttpHeader.ACCEPT)));
    }

    /// The message may name files of the server, which concern administrators only.
    private String message(StoreException e) {
        return user.groups().contains(User.MASTERS)
                ? String.valueOf(e.getMessage())
                : e.publicReason();
    }

    private String path() {
        return request.getHttpURI().getPath();
    }

    private ServerResponse answer() {
        var target = RequestTarget.parse(path());
        user = authenticate();
        if (!(target instanceof RequestTarget.Page(var page) && NonResourcePaths.isPublic(page))) {
            seat = take(parts.seats(), "requests");
        }
        var query = request.getHttpURI().getQuery();
        return parts.router()
                .answer(
                        new ApiRequest(
                                request.getMethod(),
                                target,
                                RequestQuery.parse(query == null ? "" : query),
                                user,
                                request.getHeaders()::getValuesList,
                                new ApiRequest.Body.Text(
                                        body, parts.metrics()::protobufFieldsSkipped)));
    }

    private User authenticate() {
        Function<String, List<String>> headers = request.getHeaders()::getValuesList;
        return parts.authenticator()
                .apply(new RequestCredentials(certificates(), headers, impersonation()));
    }

    private Map<String, List<String>> impersonation() {
        var found = new HashMap<String, List<String>>();
        for (var field : request.getHeaders()) {
            if (field.getLowerCaseName().startsWith("impersonate-")) {
                found.put(
                        field.getLowerCaseName(),
                        request.getHeaders().getValuesList(field.getName()));
            }
        }
        return found;
    }

    private List<X509Certificate> certificates() {
        if (request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
                        instanceof EndPoint.SslSessionData tls
                && tls.peerCertificates() != null) {
            return List.of(tls.peerCertificates());
        }
        return List.of();
    }

    private Seats.Seat take(Seats seats, String what) {
        var level = PriorityLevel.of(user);
        try {
            return switch (seats.take(level, user.name())) {
                case Seats.Seat taken -> taken;
                case Seats.Rejected rejected -> {
                    parts.metrics().requestRejected(level, rejected.reason());
                    parts.rejections()
                            .log(() ->
                                    "429 for %s (%s): too many %s, %s"
                                            .formatted(
                                                    user.name(),
                                                    level.word(),
                                                    what,
                                                    rejected.reason()));
                    throw ApiError.tooManyRequests(
                                    "the server has too many %s at once; try again later"
                                            .formatted(what),
                                    ResponseWriter.RETRY_AFTER_SECONDS)
                            .exception();
                }
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiError.unavailable("the server is stopping").exception();
        }
    }

    private void send(ServerResponse.Content content) {
        var counted = counted(content);
        measured.end(counted.status());
        new ResponseWriter(request, response)
                .send(
                        counted,
                        Callback.from(
                                this::sent,
                                failure -> {
                                    release();
                                    callback.failed(failure);
                                }));
    }

    /// The answer as text, unless it is streamed, counted against the memory for answers. A read
    /// that finds no memory is refused; a write is not, since it has been carried out.
    private ServerResponse.Content counted(ServerResponse.Content content) {
        if (content.body() instanceof ServerResponse.Body.Streamed) {
            return content;
        }
        var bytes = content.bytes();
        if (bytes.length >= COUNTED_FROM_BYTES && RequestBody.isBodiless(request)) {
            try {
                memory.growTo(bytes.length);
            } catch (ApiException refused) {
                return failure(refused.error());
            }
        }
        return new ServerResponse.Content(
                content.status(),
                content.type(),
                new ServerResponse.Body.Text(bytes),
                content.warnings());
    }

    private void sent() {
        release();
        if (body.isUnread()) {
            UnreadBody.discard(request, callback);
        } else {
            callback.succeeded();
        }
    }

    private void last(ServerResponse reply) {
        Seats.Seat place;
        try {
            place = take(parts.watches(), "watches");
        } catch (ApiException refused) {
            reply.giveUp();
            send(failure(refused.error()));
            return;
        }
        measured.end(200);
        parts.metrics().watchBegins();
        Runnable end =
                () -> {
                    reply.giveUp();
                    place.close();
                    parts.metrics().watchEnds();
                };
        switch (reply) {
            case ServerResponse.Content _ -> end.run();
            case ServerResponse.Watching(var feed) -> {
                if ("websocket".equalsIgnoreCase(request.getHeaders().get(HttpHeader.UPGRADE))) {
                    sockets.upgrade(server, request, response, callback, feed, end);
                } else {
                    Disconnection.listen(request, response, feed::close);
                    new StreamingResponse(response, callback).events(feed, end);
                }
            }
            case ServerResponse.Flowing flowing -> {
                Disconnection.listen(request, response, flowing::giveUp);
                new StreamingResponse(response, callback).bytes(flowing, end);
            }
            case ServerResponse.Conversing(var talk) ->
                    NodeProxySocket.upgrade(
                            server, request, response, callback, talk, parts.threads(), end);
        }
    }
}
