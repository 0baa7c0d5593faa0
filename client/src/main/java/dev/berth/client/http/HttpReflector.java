package dev.berth.client.http;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.client.ResourceVersions;
import dev.berth.client.config.ConfigException;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.ListHead;
import dev.berth.model.codec.WatchEvent;
import dev.berth.model.workqueue.Backoff;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Lists and watches one kind for one event handler, on its own thread, as client-go's Reflector:
/// lists everything in pages, then watches from that resourceVersion on, and resumes from the last
/// one seen whenever the watch ends.
///
/// It lists again when the server has compacted that version (410), when a watch fails in any other
/// way than by its connection, and when the server's version is older than the last one seen, as
/// after a loss of state or a restore from a backup.
final class HttpReflector<T> implements Cluster.Subscription {

    private static final Logger LOG = LoggerFactory.getLogger(HttpReflector.class);

    /// Minimum of `timeoutSeconds` of a watch; up to twice that at random.
    private static final int WATCH_SECONDS = 300;

    /// How long closing waits for a running call of the handler.
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private static final int OK = 200;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_FAULT = 500;
    private static final int TIMED_OUT = 504;

    private final ApiConnection connection;
    private final ServedVersions versions;
    private final NegotiatedEncodings encodings;
    private final ClientOptions options;
    private final ListWatch<T> source;
    private final String selector;
    private final Cluster.EventHandler<T> handler;
    private final Backoff backoff;
    private final Thread thread;
    private volatile boolean closed;

    // Used by the thread only.
    private int failures;
    private String version = "";
    private String revision = "";
    private boolean mayBeBehind;
    private boolean reportedAbsence;
    private boolean inOnePage;
    private boolean receivedEvent;
    private String lastFailure = "";

    HttpReflector(
            ApiConnection connection,
            ServedVersions versions,
            NegotiatedEncodings encodings,
            ClientOptions options,
            ListWatch<T> source,
            String selector,
            Cluster.EventHandler<T> handler) {
        this.connection = connection;
        this.versions = versions;
        this.encodings = encodings;
        this.options = options;
        this.source = source;
        this.selector = selector;
        this.handler = handler;
        this.backoff = new Backoff(options.initialBackoff(), options.maxBackoff());
        this.thread = Thread.ofVirtual().name("reflector-" + name()).unstarted(this::run);
    }

    HttpReflector<T> start() {
        thread.start();
        return this;
    }

    private String name() {
        return source.address().plural();
    }

    private void run() {
        try {
            while (!closed) {
                var failure = step();
                if (closed) {
                    return;
                }
                if (failure.isPresent()) {
                    var delay =
                            longer(
                                    backoff.afterWithJitter(++failures, options.random()),
                                    failure.get().minDelay);
                    log(failure.get().message, delay);
                    Thread.sleep(delay);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// A repeated reason is logged at DEBUG: an account may lack a permission for ever.
    private void log(String message, Duration delay) {
        LOG.atLevel(message.equals(lastFailure) ? Level.DEBUG : Level.INFO)
                .log("{}: {}; next attempt in {}", name(), message, delay);
        lastFailure = message;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    /// A reason to back off before the next step.
    private record Failure(String message, Duration minDelay) {
        static Optional<Failure> of(String message) {
            return Optional.of(new Failure(message, Duration.ZERO));
        }
    }

    private Optional<Failure> step() throws InterruptedException {
        try {
            if (revision.isEmpty()) {
                return list();
            }
            if (mayBeBehind && isBehind()) {
                revision = "";
                return Optional.empty();
            }
            return watch();
        } catch (IOException | UncheckedIOException e) {
            mayBeBehind = true;
            return Failure.of(String.valueOf(e.getMessage()));
        } catch (ConfigException e) {
            return Failure.of(String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            // A bug in the handler. List again, so that it misses nothing. Also for an Error: a
            // stack overflow on one object must not end the watch of all others.
            revision = "";
            LOG.error("{}: the event handler failed", name(), e);
            return Failure.of("the event handler failed");
        }
    }

    private Optional<Failure> list() throws IOException, InterruptedException {
        version = versions.of(source.address()).address().version();
        var objects = new ArrayList<T>();
        var token = "";
        while (true) {
            var call = call();
            if (!inOnePage) {
                call = call.with("limit", Integer.toString(options.pageSize()));
            }
            var response = connection.open(token.isEmpty() ? call : call.with("continue", token));
            if (response.statusCode() != OK) {
                return listFailed(response, !token.isEmpty());
            }
            var head = page(response, object -> collect(object, objects));
            token = head.continueToken();
            if (token.isEmpty()) {
                return listed(objects, head.resourceVersion());
            }
        }
    }

    private Optional<Failure> listed(List<T> objects, String at) {
        inOnePage = false;
        mayBeBehind = false;
        reportedAbsence = false;
        receivedEvent = false;
        lastFailure = "";
        handler.replaceAll(Collections.unmodifiableList(objects));
        revision = at;
        return at.isEmpty() ? Failure.of("the list has no resourceVersion") : Optional.empty();
    }

    private Optional<Failure> listFailed(ApiResponse<InputStream> response, boolean isContinued)
            throws IOException {
        var failure = failure(response);
        return switch (response.statusCode()) {
            case GONE -> {
                // The continue token expired before the list was complete: request everything at
                // once.
                inOnePage = isContinued;
                yield isContinued ? Optional.empty() : failure;
            }
            case NOT_FOUND -> {
                versions.forget(source.address());
                // Every server has the core kinds, so this 404 is the response of some proxy.
                if (!reportedAbsence && !source.address().group().isEmpty()) {
                    // A kind that the server does not have has no objects; it may be installed
                    // later.
                    reportedAbsence = true;
                    handler.replaceAll(Collections.emptyList());
                }
                yield failure;
            }
            case FORBIDDEN -> {
                handler.onForbidden(failure.map(Failure::message).orElse(""));
                yield failure;
            }
            default -> failure;
        };
    }

    private HttpCall call() {
        var address = source.address();
        var served = new ResourcePath(address.group(), version, address.plural());
        var call = HttpCall.get(served.path("", "", "")).accepting(encodings.accept(served));
        return selector.isEmpty() ? call : call.with("fieldSelector", selector);
    }

    private ListHead page(ApiResponse<InputStream> response, Consumer<Decoded<T>> objects)
            throws IOException {
        try (var body = new IdleTimeoutStream(response.body(), options.requestTimeout())) {
            return switch (encodings.of(response).list(source, version, body, objects)) {
                case Decoded.Read<ListHead> read -> read.object();
                case Decoded.Refused<ListHead> refused ->
                        throw new IOException("cannot decode the list: " + refused.message());
            };
        }
    }

    private void collect(Decoded<T> object, List<T> objects) {
        switch (object) {
            case Decoded.Read<T> read -> objects.add(read.object());
            case Decoded.Refused<T> refused ->
                    LOG.warn(
                            "{}: skipped an object that cannot be decoded: {}",
                            name(),
                            refused.message());
        }
    }

    /// True when the server's version is older than the last one seen: it lost changes that were
    /// already received.
    private boolean isBehind() throws IOException, InterruptedException {
        var response = connection.open(call().with("limit", "1"));
        if (response.statusCode() != OK) {
            throw new IOException(failure(response).map(Failure::message).orElse(""));
        }
        var head = page(response, _ -> {});
        mayBeBehind = false;
        return ResourceVersions.isBefore(head.resourceVersion(), revision);
    }

    private Optional<Failure> watch() throws IOException, InterruptedException {
        var seconds = WATCH_SECONDS + options.random().nextInt(WATCH_SECONDS);
        var response =
                connection.open(
                        call().with("watch", "true")
                                .with("allowWatchBookmarks", "true")
                                .with("resourceVersion", revision)
                                .with("timeoutSeconds", Integer.toString(seconds)));
        if (response.statusCode() != OK) {
            return watchFailed(response);
        }
        try (var body = new IdleTimeoutStream(response.body(), options.idleTimeout())) {
            try {
                return watched(encodings.of(response).events(source, version, body));
            } catch (IOException e) {
                if (body.wasIdle()) {
                    return Optional.empty();
                }
                throw e;
            }
        }
    }

    private Optional<Failure> watched(BodyEncoding.Events<T> events) throws IOException {
        var began = System.nanoTime();
        for (var event = events.next(); event.isPresent(); event = events.next()) {
            var end = handle(event.get());
            if (closed || end.isPresent()) {
                return end.flatMap(End::failure);
            }
        }
        var lasted = Duration.ofNanos(System.nanoTime() - began);
        return lasted.compareTo(options.initialBackoff()) > 0
                ? Optional.empty()
                : Failure.of("the watch ended at once");
    }

    private Optional<Failure> watchFailed(ApiResponse<InputStream> response) throws IOException {
        var code = response.statusCode();
        if (code == GONE) {
            return expired().failure;
        }
        if (code != TOO_MANY_REQUESTS && (code < SERVER_FAULT || code == TIMED_OUT)) {
            revision = "";
        }
        return failure(response);
    }

    private Optional<Failure> failure(ApiResponse<InputStream> response) throws IOException {
        try (var body = response.body()) {
            var status = encodings.of(response).object(body.readNBytes(LineReader.MAX_BYTES));
            return Optional.of(
                    new Failure(
                            ApiResponses.message(response.statusCode(), status),
                            ApiResponses.retryAfter(response).orElse(Duration.ZERO)));
        }
    }

    /// The end of a watch, with a reason to back off if there is one.
    private record End(Optional<Failure> failure) {}

    private Optional<End> handle(Decoded<WatchEvent<T>> event) {
        return switch (event) {
            case Decoded.Refused<WatchEvent<T>> refused -> {
                LOG.warn(
                        "{}: skipped an event that cannot be decoded: {}",
                        name(),
                        refused.message());
                yield Optional.empty();
            }
            case Decoded.Read<WatchEvent<T>> read -> handle(read.object());
        };
    }

    private Optional<End> handle(WatchEvent<T> event) {
        return switch (event) {
            case WatchEvent.Added<T>(var object) -> handle(object, handler::put);
            case WatchEvent.Modified<T>(var object) -> handle(object, handler::put);
            case WatchEvent.Deleted<T>(var object) -> handle(object, handler::remove);
            case WatchEvent.Bookmark<T>(var at) -> advance(at);
            case WatchEvent.Other<T>(var type, var status) -> {
                if (status.number("code").orElse(0) == GONE) {
                    yield Optional.of(expired());
                }
                revision = "";
                yield Optional.of(
                        new End(Failure.of(type + " event: " + ApiResponses.message(0, status))));
            }
        };
    }

    private Optional<End> handle(T object, Consumer<T> callback) {
        var end = advance(source.revision(object));
        if (end.isEmpty()) {
            callback.accept(object);
        }
        return end;
    }

    private Optional<End> advance(String at) {
        if (ResourceVersions.isBefore(at, revision)) {
            revision = "";
            return Optional.of(
                    new End(Failure.of("the server went back to resourceVersion " + at)));
        }
        receivedEvent = true;
        failures = 0;
        revision = at;
        return Optional.empty();
    }

    /// The server has compacted the version. Right after a list this indicates an overloaded
    /// server: back off instead of listing again at once.
    private End expired() {
        revision = "";
        return new End(
                receivedEvent
                        ? Optional.empty()
                        : Failure.of("the resourceVersion of the list is already compacted"));
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        if (Thread.currentThread().equals(thread)) {
            return;
        }
        try {
            thread.join(CLOSE_TIMEOUT);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
