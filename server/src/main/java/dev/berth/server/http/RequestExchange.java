package dev.berth.server.http;

import dev.berth.model.text.FailureText;
import dev.berth.server.access.User;
import dev.berth.server.http.handler.Router;
import dev.berth.server.http.limit.MemoryBudget;
import dev.berth.server.http.limit.PriorityLevel;
import dev.berth.server.http.limit.Seats;
import dev.berth.server.http.request.ApiRequest;
import dev.berth.server.http.request.RequestQuery;
import dev.berth.server.http.request.RequestTarget;
import dev.berth.server.http.response.MediaNegotiation;
import dev.berth.server.http.response.ServerResponse;
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

/// One request and its response: authenticates, takes a seat, passes the request to the router, and
/// sends the response. The seat is kept until the client has read the response.
final class RequestExchange {

    private static final Logger LOG = LoggerFactory.getLogger(RequestExchange.class);

    /// Minimum size of responses that are counted against the memory budget.
    private static final int COUNTED_FROM_BYTES = 64 * 1024;

    private final ApiHandler.Services services;
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
            ApiHandler.Services services,
            WatchSockets sockets,
            Server server,
            Request request,
            Response response,
            Callback callback) {
        this.services = services;
        this.sockets = sockets;
        this.server = server;
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.measured = services.metrics().begin(request.getMethod());
        this.memory = services.memory().share();
        this.body = new RequestBody(request, services.limits(), memory);
    }

    void run() {
        try {
            switch (result()) {
                case ServerResponse.Content content -> send(content);
                case ServerResponse longRunning -> {
                    // Long-running responses have seats of their own.
                    release();
                    runLongRunning(longRunning);
                }
            }
        } catch (Throwable e) {
            measured.abandon();
            release();
            callback.failed(e);
        }
    }

    private void release() {
        memory.close();
        seat.close();
    }

    private ServerResponse result() {
        try {
            return durable();
        } catch (StoreException e) {
            services.failures().log(() -> "the store failed: " + e.getMessage());
            return error(ApiError.unavailable(message(e)));
        } catch (UncheckedIOException e) {
            return error(ApiError.badRequest("the body ended too early"));
        } catch (OutOfMemoryError e) {
            services.failures()
                    .log(() ->
                            "%s %s failed: %s"
                                    .formatted(request.getMethod(), path(), FailureText.of(e)));
            return ServerResponse.error(ApiError.internal("the server is out of memory"));
        } catch (RuntimeException | Error e) {
            LOG.error("{} {} failed", request.getMethod(), path(), e);
            return ServerResponse.error(
                    ApiError.internal("see the log of the server for the cause"));
        }
    }

    /// The response to the request, after the data that it is based on is durable: clients must
    /// never see data that can still be lost. This includes errors, which reveal stored state as
    /// well.
    private ServerResponse durable() {
        ServerResponse result;
        try {
            result = handle();
        } catch (ApiException e) {
            result = error(e.error());
        }
        try {
            services.store().awaitDurable(services.store().revision());
            return result;
        } catch (RuntimeException e) {
            result.release();
            throw e;
        }
    }

    private ServerResponse.Content error(ApiError error) {
        return ServerResponse.error(
                error,
                MediaNegotiation.ofError(request.getHeaders().getValuesList(HttpHeader.ACCEPT)));
    }

    /// The message may contain file names of the server, which only administrators may see.
    private String message(StoreException e) {
        return user.groups().contains(User.MASTERS)
                ? String.valueOf(e.getMessage())
                : e.publicReason();
    }

    private String path() {
        return request.getHttpURI().getPath();
    }

    private ServerResponse handle() {
        var target = RequestTarget.parse(path());
        label(target);
        user = authenticate();
        if (!Router.isPublic(target)) {
            seat = take(services.seats(), "requests");
        }
        var query = request.getHttpURI().getQuery();
        return services.router()
                .handle(
                        new ApiRequest(
                                request.getMethod(),
                                target,
                                RequestQuery.parse(query == null ? "" : query),
                                user,
                                request.getHeaders()::getValuesList,
                                new ApiRequest.Body(
                                        body, services.metrics()::protobufFieldsSkipped)));
    }

    private void label(RequestTarget target) {
        if (target instanceof RequestTarget.ResourcePath resource
                && services.router().serves(resource.path())) {
            var query = request.getHttpURI().getQuery();
            var type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
            measured.label(
                    RequestLabels.of(
                            request.getMethod(),
                            resource,
                            query == null ? "" : query,
                            type == null ? "" : type));
        }
    }

    private User authenticate() {
        Function<String, List<String>> headers = request.getHeaders()::getValuesList;
        return services.authenticator()
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

    private Seats.Seat take(Seats seats, String resource) {
        var level = PriorityLevel.of(user);
        try {
            return switch (seats.take(level, user.name())) {
                case Seats.Seat taken -> taken;
                case Seats.Rejected rejected -> {
                    services.metrics().requestRejected(level, rejected.reason());
                    services.rejections()
                            .log(() ->
                                    "429 for %s (%s): too many %s, %s"
                                            .formatted(
                                                    user.name(),
                                                    level.label(),
                                                    resource,
                                                    rejected.reason()));
                    throw ApiError.tooManyRequests(
                                    "the server has too many %s at once; try again later"
                                            .formatted(resource),
                                    Seats.RETRY_AFTER_SECONDS)
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

    /// The encoded response, unless it is streamed, counted against the memory budget. A read that
    /// gets no memory is rejected; a write is not, since it has been executed.
    private ServerResponse.Content counted(ServerResponse.Content content) {
        if (content.body() instanceof ServerResponse.Body.Streamed) {
            return content;
        }
        var bytes = content.bytes();
        if (bytes.length >= COUNTED_FROM_BYTES && RequestBody.isBodiless(request)) {
            try {
                memory.growTo(bytes.length);
            } catch (ApiException e) {
                return error(e.error());
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

    private void runLongRunning(ServerResponse longRunning) {
        Seats.Seat watchSeat;
        try {
            watchSeat = take(services.watches(), "watches");
        } catch (ApiException e) {
            longRunning.release();
            send(error(e.error()));
            return;
        }
        var measuredEnd = measured.beginLongRunning();
        Runnable end =
                () -> {
                    longRunning.release();
                    watchSeat.close();
                    measuredEnd.run();
                };
        switch (longRunning) {
            case ServerResponse.Content _ -> end.run();
            case ServerResponse.WatchStream(var feed) -> {
                if ("websocket".equalsIgnoreCase(request.getHeaders().get(HttpHeader.UPGRADE))) {
                    sockets.upgrade(server, request, response, callback, feed, end);
                } else {
                    Disconnection.listen(request, response, feed::close);
                    new StreamingResponse(response, callback).events(feed, end);
                }
            }
            case ServerResponse.ByteStream stream -> {
                Disconnection.listen(request, response, stream::release);
                new StreamingResponse(response, callback).bytes(stream, end);
            }
            case ServerResponse.NodeProxy(var session) ->
                    NodeProxySocket.upgrade(
                            server, request, response, callback, session, services.threads(), end);
        }
    }
}
