package dev.berth.server.http;

import dev.berth.server.access.User;
import dev.berth.server.registry.Failure;
import dev.berth.server.registry.Refused;
import dev.berth.server.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The edge: takes requests of the HTTP library, and gives it answers. It runs on virtual threads,
/// so everything below may block.
final class ApiHandler extends Handler.Abstract {

    private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);

    private final Router router;
    private final Durability durability;
    private final Function<Credentials, User> authenticator;
    private final Limits limits;
    private final Limits.Places places;
    private final WatchSockets sockets;
    private final Metrics metrics;
    private final Executor threads;

    ApiHandler(
            Router router,
            Durability durability,
            Function<Credentials, User> authenticator,
            Limits limits,
            Metrics metrics,
            Executor threads) {
        this.router = router;
        this.durability = durability;
        this.authenticator = authenticator;
        this.limits = limits;
        this.places = new Limits.Places(limits);
        this.sockets = new WatchSockets(threads);
        this.metrics = metrics;
        this.threads = threads;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (Thread.currentThread().isVirtual()) {
            serve(request, response, callback);
        } else {
            // The first request of a connection comes on the thread that finished the handshake, of
            // which there are few: a watch must not keep it.
            threads.execute(() -> serve(request, response, callback));
        }
        return true;
    }

    private void serve(Request request, Response response, Callback callback) {
        var measured = metrics.begin(request.getMethod(), request.getHttpURI().getPath());
        try {
            var lasting = begun(request, response, callback, measured);
            // What lasts has places of its own, and gives back that of a request.
            lasting.ifPresent(reply -> last(request, response, callback, reply));
        } catch (RuntimeException | Error e) {
            callback.failed(e);
            throw e;
        }
    }

    /// Answers; what goes on for longer, when that was asked.
    private Optional<Reply> begun(
            Request request, Response response, Callback callback, Metrics.Measured measured) {
        try (var reply = answer(request)) {
            return switch (reply.reply) {
                case Reply.Content content -> {
                    measured.end(content.status());
                    new Answers(request, response).send(content, callback);
                    yield Optional.empty();
                }
                case Reply.Watching _, Reply.Flowing _, Reply.Conversing _ -> {
                    measured.end(200);
                    yield Optional.of(reply.reply);
                }
            };
        }
    }

    /// A reply, and the place among all requests that it keeps.
    private record Placed(Reply reply, Limits.Place place) implements AutoCloseable {
        @Override
        public void close() {
            place.close();
        }
    }

    private Placed answer(Request request) {
        Limits.Place place = () -> {};
        try {
            place = places.take(isRead(request));
            return new Placed(durability.answer(() -> router.answer(asked(request))), place);
        } catch (Refused refused) {
            return new Placed(Reply.failure(refused.failure()), place);
        } catch (StoreException e) {
            LOG.error("the store failed: {}", e.getMessage());
            return new Placed(
                    Reply.failure(Failure.unavailable(String.valueOf(e.getMessage()))), place);
        } catch (UncheckedIOException e) {
            return new Placed(Reply.failure(Failure.badRequest("the body ended too early")), place);
        } catch (RuntimeException | StackOverflowError e) {
            LOG.error("{} {} failed", request.getMethod(), request.getHttpURI().getPath(), e);
            return new Placed(
                    Reply.failure(Failure.internal("see the server's log for what went wrong")),
                    place);
        }
    }

    private static boolean isRead(Request request) {
        return request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
    }

    private Asked asked(Request request) {
        // Read before anything can refuse it: a stream that ends unread looks broken to clients.
        var body = isRead(request) ? new byte[0] : body(request);
        Function<String, List<String>> headers = request.getHeaders()::getValuesList;
        var user =
                authenticator.apply(
                        new Credentials(certificates(request), headers, impersonation(request)));
        var uri = request.getHttpURI();
        var query = uri.getQuery();
        return new Asked(
                request.getMethod(),
                Target.parse(uri.getPath()),
                Query.parse(query == null ? "" : query),
                user,
                headers,
                new Asked.Body.Text(() -> body));
    }

    private static Map<String, List<String>> impersonation(Request request) {
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

    private static List<X509Certificate> certificates(Request request) {
        if (request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
                        instanceof EndPoint.SslSessionData tls
                && tls.peerCertificates() != null) {
            return List.of(tls.peerCertificates());
        }
        return List.of();
    }

    private byte[] body(Request request) {
        if (request.getLength() > limits.bodyBytes()) {
            throw tooLarge();
        }
        try (var stream = Content.Source.asInputStream(request)) {
            var bytes = stream.readNBytes(limits.bodyBytes() + 1);
            if (bytes.length > limits.bodyBytes()) {
                throw tooLarge();
            }
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private RuntimeException tooLarge() {
        return Failure.tooLarge(
                        "the body is larger than the limit of %d bytes"
                                .formatted(limits.bodyBytes()))
                .refused();
    }

    private void last(Request request, Response response, Callback callback, Reply reply) {
        Limits.Place place;
        try {
            place = places.takeWatch();
        } catch (Refused refused) {
            reply.giveUp();
            new Answers(request, response).send(Reply.failure(refused.failure()), callback);
            return;
        }
        metrics.watchBegins();
        Runnable end =
                () -> {
                    reply.giveUp();
                    place.close();
                    metrics.watchEnds();
                };
        switch (reply) {
            case Reply.Content _ -> end.run();
            case Reply.Watching(var feed) -> {
                if ("websocket".equalsIgnoreCase(request.getHeaders().get(HttpHeader.UPGRADE))) {
                    sockets.upgrade(getServer(), request, response, callback, feed, end);
                } else {
                    new Flow(response, callback).events(feed, end);
                }
            }
            case Reply.Flowing flowing -> {
                // A client that goes away while nothing is said is not noticed by writing.
                request.addFailureListener(_ -> flowing.giveUp());
                new Flow(response, callback).bytes(flowing, end);
            }
            case Reply.Conversing(var talk) ->
                    TalkSocket.upgrade(
                            getServer(), request, response, callback, talk, threads, end);
        }
    }
}
