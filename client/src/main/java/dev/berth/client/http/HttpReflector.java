package dev.berth.client.http;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.client.config.ConfigException;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.ListHead;
import dev.berth.model.codec.WatchEvent;
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

/// Tells one event handler of one kind, on a thread of its own: lists everything in pages, then
/// watches from that revision on, and goes on from the last one that it saw whenever the watch
/// ends.
///
/// It lists again when the server no longer knows that revision (410), when a watch fails in any
/// other way than by its connection, and when the server turns out to be behind us, as one is that
/// lost its state or was restored from a backup.
final class HttpReflector<T> implements Cluster.Subscription {

    private static final Logger LOG = LoggerFactory.getLogger(HttpReflector.class);

    /// A watch is asked to last so long, and up to twice that by chance.
    private static final int WATCH_SECONDS = 300;

    /// How long closing waits for a event handler that is just being told something.
    private static final Duration CLOSING_PATIENCE = Duration.ofSeconds(5);

    private static final int OK = 200;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;
    private static final int TOO_MANY = 429;
    private static final int SERVER_FAULT = 500;
    private static final int TIMED_OUT = 504;

    private final ApiConnection connection;
    private final ServedVersions versions;
    private final NegotiatedEncodings encodings;
    private final ClientOptions settings;
    private final ListWatch<T> source;
    private final String selector;
    private final Cluster.EventHandler<T> handler;
    private final ReconnectBackoff backoff;
    private final Thread thread;
    private volatile boolean closed;

    // Of the thread alone.
    private String version = "";
    private String revision = "";
    private boolean inDoubt;
    private boolean toldAbsence;
    private boolean inOnePage;
    private boolean heard;
    private String lastTrouble = "";

    HttpReflector(
            ApiConnection connection,
            ServedVersions versions,
            NegotiatedEncodings encodings,
            ClientOptions settings,
            ListWatch<T> source,
            String selector,
            Cluster.EventHandler<T> handler) {
        this.connection = connection;
        this.versions = versions;
        this.encodings = encodings;
        this.settings = settings;
        this.source = source;
        this.selector = selector;
        this.handler = handler;
        this.backoff =
                new ReconnectBackoff(
                        settings.firstPause(), settings.longestPause(), settings.random());
        this.thread = Thread.ofVirtual().name("follow-" + name()).unstarted(this::run);
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
                var trouble = step();
                if (closed) {
                    return;
                }
                if (trouble.isPresent()) {
                    var pause = longer(backoff.next(), trouble.get().atLeast);
                    tellLog(trouble.get().what, pause);
                    Thread.sleep(pause);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// What stays the same is told once: an account may lack a permission for ever.
    private void tellLog(String what, Duration pause) {
        LOG.atLevel(what.equals(lastTrouble) ? Level.DEBUG : Level.INFO)
                .log("{}: {}; next attempt in {}", name(), what, pause);
        lastTrouble = what;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    /// Why to wait before the next step.
    private record Trouble(String what, Duration atLeast) {
        static Optional<Trouble> of(String what) {
            return Optional.of(new Trouble(what, Duration.ZERO));
        }
    }

    private Optional<Trouble> step() throws InterruptedException {
        try {
            if (revision.isEmpty()) {
                return list();
            }
            if (inDoubt && isBehind()) {
                revision = "";
                return Optional.empty();
            }
            return watch();
        } catch (IOException | UncheckedIOException e) {
            inDoubt = true;
            return Trouble.of(String.valueOf(e.getMessage()));
        } catch (ConfigException e) {
            return Trouble.of(String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            // The follower's own fault. Begin anew, so that it misses nothing. An Error, too: a
            // stack that overflowed on one object must not end the watch of all others.
            revision = "";
            LOG.error("{}: a follower failed", name(), e);
            return Trouble.of("a follower failed");
        }
    }

    private Optional<Trouble> list() throws IOException, InterruptedException {
        version = versions.of(source.address()).address().version();
        var objects = new ArrayList<T>();
        var token = "";
        while (true) {
            var call = call();
            if (!inOnePage) {
                call = call.with("limit", Integer.toString(settings.pageSize()));
            }
            var answer = connection.open(token.isEmpty() ? call : call.with("continue", token));
            if (answer.statusCode() != OK) {
                return listRefused(answer, !token.isEmpty());
            }
            var head = page(answer, object -> keep(object, objects));
            token = head.continueToken();
            if (token.isEmpty()) {
                return listed(objects, head.resourceVersion());
            }
        }
    }

    private Optional<Trouble> listed(List<T> objects, String at) {
        inOnePage = false;
        inDoubt = false;
        toldAbsence = false;
        heard = false;
        lastTrouble = "";
        handler.replaceAll(Collections.unmodifiableList(objects));
        revision = at;
        return at.isEmpty() ? Trouble.of("the list has no resourceVersion") : Optional.empty();
    }

    private Optional<Trouble> listRefused(ApiResponse<InputStream> answer, boolean midway)
            throws IOException {
        var trouble = trouble(answer);
        return switch (answer.statusCode()) {
            case GONE -> {
                // Too slow for the server's memory: take all at once.
                inOnePage = midway;
                yield midway ? Optional.empty() : trouble;
            }
            case NOT_FOUND -> {
                versions.forget(source.address());
                // Every server has the core kinds: this answer is that of some proxy.
                if (!toldAbsence && !source.address().group().isEmpty()) {
                    // A kind that the server does not have has no objects; it may get it later.
                    toldAbsence = true;
                    handler.replaceAll(Collections.emptyList());
                }
                yield trouble;
            }
            case FORBIDDEN -> {
                handler.onForbidden(trouble.map(Trouble::what).orElse(""));
                yield trouble;
            }
            default -> trouble;
        };
    }

    private HttpCall call() {
        var address = source.address();
        var spoken = new ResourcePath(address.group(), version, address.plural());
        var call = HttpCall.get(spoken.path("", "", "")).accepting(encodings.accept(spoken));
        return selector.isEmpty() ? call : call.with("fieldSelector", selector);
    }

    private ListHead page(ApiResponse<InputStream> answer, Consumer<Decoded<T>> objects)
            throws IOException {
        try (var body = new IdleTimeoutStream(answer.body(), settings.requestTimeout())) {
            return switch (encodings.of(answer).list(source, version, body, objects)) {
                case Decoded.Read<ListHead> read -> read.object();
                case Decoded.Refused<ListHead> refused ->
                        throw new IOException("a list that cannot be read: " + refused.message());
            };
        }
    }

    private void keep(Decoded<T> object, List<T> objects) {
        switch (object) {
            case Decoded.Read<T> read -> objects.add(read.object());
            case Decoded.Refused<T> refused ->
                    LOG.warn("{}: left out an object: {}", name(), refused.message());
        }
    }

    /// True when the server has not got as far as we have: it lost what it told us.
    private boolean isBehind() throws IOException, InterruptedException {
        var answer = connection.open(call().with("limit", "1"));
        if (answer.statusCode() != OK) {
            throw new IOException(trouble(answer).map(Trouble::what).orElse(""));
        }
        var head = page(answer, _ -> {});
        inDoubt = false;
        return ResourceVersions.isBefore(head.resourceVersion(), revision);
    }

    private Optional<Trouble> watch() throws IOException, InterruptedException {
        var seconds = WATCH_SECONDS + settings.random().nextInt(WATCH_SECONDS);
        var answer =
                connection.open(
                        call().with("watch", "true")
                                .with("allowWatchBookmarks", "true")
                                .with("resourceVersion", revision)
                                .with("timeoutSeconds", Integer.toString(seconds)));
        if (answer.statusCode() != OK) {
            return watchRefused(answer);
        }
        try (var body = new IdleTimeoutStream(answer.body(), settings.idleTimeout())) {
            try {
                return watched(encodings.of(answer).events(source, version, body));
            } catch (IOException e) {
                if (body.wasIdle()) {
                    return Optional.empty();
                }
                throw e;
            }
        }
    }

    private Optional<Trouble> watched(BodyEncoding.Events<T> events) throws IOException {
        var began = System.nanoTime();
        for (var event = events.next(); event.isPresent(); event = events.next()) {
            var end = tell(event.get());
            if (closed || end.isPresent()) {
                return end.flatMap(End::trouble);
            }
        }
        var lasted = Duration.ofNanos(System.nanoTime() - began);
        return lasted.compareTo(settings.firstPause()) > 0
                ? Optional.empty()
                : Trouble.of("the watch ended at once");
    }

    private Optional<Trouble> watchRefused(ApiResponse<InputStream> answer) throws IOException {
        var code = answer.statusCode();
        if (code == GONE) {
            return expired().trouble;
        }
        if (code != TOO_MANY && (code < SERVER_FAULT || code == TIMED_OUT)) {
            revision = "";
        }
        return trouble(answer);
    }

    private Optional<Trouble> trouble(ApiResponse<InputStream> answer) throws IOException {
        try (var body = answer.body()) {
            var status = encodings.of(answer).object(body.readNBytes(LineReader.MAX_BYTES));
            return Optional.of(
                    new Trouble(
                            ApiResponses.message(answer.statusCode(), status),
                            ApiResponses.pause(answer).orElse(Duration.ZERO)));
        }
    }

    /// That a watch has to be left, and whether there is a reason to wait.
    private record End(Optional<Trouble> trouble) {}

    private Optional<End> tell(Decoded<WatchEvent<T>> event) {
        return switch (event) {
            case Decoded.Refused<WatchEvent<T>> refused -> {
                LOG.warn("{}: left out an event: {}", name(), refused.message());
                yield Optional.empty();
            }
            case Decoded.Read<WatchEvent<T>> read -> tell(read.object());
        };
    }

    private Optional<End> tell(WatchEvent<T> event) {
        return switch (event) {
            case WatchEvent.Added<T>(var object) -> tell(object, handler::put);
            case WatchEvent.Modified<T>(var object) -> tell(object, handler::put);
            case WatchEvent.Deleted<T>(var object) -> tell(object, handler::remove);
            case WatchEvent.Bookmark<T>(var at) -> advance(at);
            case WatchEvent.Other<T>(var type, var status) -> {
                if (status.number("code").orElse(0) == GONE) {
                    yield Optional.of(expired());
                }
                revision = "";
                yield Optional.of(
                        new End(Trouble.of(type + " event: " + ApiResponses.message(0, status))));
            }
        };
    }

    private Optional<End> tell(T object, Consumer<T> word) {
        var end = advance(source.revision(object));
        if (end.isEmpty()) {
            word.accept(object);
        }
        return end;
    }

    private Optional<End> advance(String at) {
        if (ResourceVersions.isBefore(at, revision)) {
            revision = "";
            return Optional.of(new End(Trouble.of("the server went back to revision " + at)));
        }
        heard = true;
        backoff.reset();
        revision = at;
        return Optional.empty();
    }

    /// The server no longer knows our revision. At once after a list that is no accident, and
    /// asking for lists without pause would not help it.
    private End expired() {
        revision = "";
        return new End(heard ? Optional.empty() : Trouble.of("the revision is already forgotten"));
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        if (Thread.currentThread().equals(thread)) {
            return;
        }
        try {
            thread.join(CLOSING_PATIENCE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
