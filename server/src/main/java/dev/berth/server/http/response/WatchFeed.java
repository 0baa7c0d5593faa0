package dev.berth.server.http.response;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.ObjectSelection;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.Change;
import dev.berth.server.store.Entry;
import dev.berth.server.store.Watch;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/// The stream of encoded events of one watch.
public final class WatchFeed implements AutoCloseable {

    /// Interval of bookmarks, for clients that request them.
    private static final Duration BOOKMARK_INTERVAL = Duration.ofSeconds(60);

    /// Maximum number of bytes of events in memory per watch, not counting the last event.
    private static final int BLOCK_BYTES = 64 * 1024;

    /// Start and end of a watch.
    ///
    /// @param initial existing objects, to be sent as ADDED
    /// @param revision the revision of these objects
    /// @param initialEventsEnd true when a bookmark marks the end of the initial events
    public record Options(
            List<Entry> initial,
            long revision,
            boolean initialEventsEnd,
            boolean bookmarks,
            Duration timeout) {
        public Options {
            initial = List.copyOf(initial);
        }
    }

    private final ObjectRendering rendering;
    private final EventEncoding encoding;
    private final ObjectSelection selection;
    private final Watch watch;
    private final Options options;
    private final Clock clock;
    private final Instant deadline;
    private Instant nextBookmark;
    private long revision;
    private int initialSent;
    private boolean begun;
    private boolean ended;

    /// Changes that were received but not sent.
    private Iterator<Change> changes = Collections.emptyIterator();

    private boolean columnsSent;

    public WatchFeed(
            ObjectRendering rendering,
            ObjectSelection selection,
            Watch watch,
            Options options,
            Clock clock) {
        this.rendering = rendering;
        this.encoding = EventEncoding.of(rendering);
        this.selection = selection;
        this.watch = watch;
        this.options = options;
        this.clock = clock;
        this.revision = options.revision;
        this.deadline = clock.instant().plus(options.timeout);
        this.nextBookmark = clock.instant().plus(BOOKMARK_INTERVAL);
    }

    public EventEncoding encoding() {
        return encoding;
    }

    /// True after the last event.
    public boolean isEnded() {
        return ended;
    }

    /// The next events, about as many as fit into one block. Waits for events, and may return none.
    public List<byte[]> next() throws InterruptedException {
        if (!begun) {
            return beginning();
        }
        if (changes.hasNext()) {
            return events();
        }
        var now = clock.instant();
        if (!now.isBefore(deadline)) {
            ended = true;
            return options.bookmarks ? List.of(bookmark(false)) : List.of();
        }
        var until = options.bookmarks && nextBookmark.isBefore(deadline) ? nextBookmark : deadline;
        return switch (watch.next(Duration.between(now, until))) {
            case Watch.Changes(var found, var seen) -> {
                changes = found.iterator();
                revision = seen;
                yield events();
            }
            case Watch.TooOld(var oldest) -> {
                ended = true;
                yield List.of(
                        encoding.event(
                                "ERROR",
                                ApiError.expired(
                                                "too old resource version: %d (%d)"
                                                        .formatted(revision, oldest))
                                        .toJson()));
            }
            case Watch.Ended _ -> {
                ended = true;
                yield List.of();
            }
        };
    }

    private List<byte[]> beginning() {
        var block = new Block();
        while (initialSent < options.initial.size() && block.hasRoom()) {
            block.add(event("ADDED", options.initial.get(initialSent++)));
        }
        begun = initialSent == options.initial.size();
        if (begun && options.initialEventsEnd) {
            block.add(bookmark(true));
        }
        return block.events;
    }

    private List<byte[]> events() {
        var block = new Block();
        while (changes.hasNext() && block.hasRoom()) {
            add(changes.next(), block);
        }
        if (!changes.hasNext() && options.bookmarks && !clock.instant().isBefore(nextBookmark)) {
            block.add(bookmark(false));
            nextBookmark = clock.instant().plus(BOOKMARK_INTERVAL);
        }
        return block.events;
    }

    /// Events that are sent together.
    private static final class Block {
        private final List<byte[]> events = new ArrayList<>();
        private int bytes;

        private boolean hasRoom() {
            return bytes < BLOCK_BYTES;
        }

        private void add(byte[] event) {
            events.add(event);
            bytes += event.length;
        }
    }

    /// An object that no longer matches the selector is reported as DELETED.
    private void add(Change change, Block block) {
        var before = change.previous().filter(selection::matches);
        var isThere = change.type() != Change.Type.DELETED && selection.matches(change.entry());
        if (isThere) {
            block.add(event(before.isPresent() ? "MODIFIED" : "ADDED", change.entry()));
        } else if (before.isPresent()) {
            var last = before.get();
            block.add(
                    event(
                            "DELETED",
                            change.type() == Change.Type.DELETED
                                    ? change.entry()
                                    : new Entry(last.key(), change.revision(), last.bytes())));
        }
    }

    private byte[] event(String type, Entry entry) {
        return rendering.isAsStored() || rendering.isProtobufObject()
                ? encoding.event(type, entry)
                : encoding.event(type, form(StoredObjects.tree(entry)));
    }

    private JsonObject form(JsonObject object) {
        if (rendering.media().form() != MediaNegotiation.Form.TABLE) {
            return rendering.form(object, clock.instant());
        }
        var tables =
                new TableResponses(
                        rendering.resource(), rendering.version(), rendering.includeObject());
        var table =
                tables.table(
                        List.of(object),
                        object.objectOrEmpty("metadata"),
                        !columnsSent,
                        clock.instant());
        columnsSent = true;
        return table;
    }

    private byte[] bookmark(boolean endOfInitial) {
        var metadata =
                JsonObject.of("resourceVersion", Json.of(Long.toString(revision)))
                        .with("creationTimestamp", Json.JsonNull.INSTANCE);
        if (endOfInitial) {
            metadata =
                    metadata.with(
                            "annotations",
                            JsonObject.of("k8s.io/initial-events-end", Json.of("true")));
        }
        return encoding.event("BOOKMARK", bookmarkHead().with("metadata", metadata));
    }

    /// The kind of a bookmark is that of the objects.
    private JsonObject bookmarkHead() {
        if (rendering.media().form() == MediaNegotiation.Form.METADATA) {
            return ObjectRendering.metadataOnly(JsonObject.EMPTY);
        }
        var resource = rendering.resource();
        return JsonObject.of("kind", Json.of(resource.kind()))
                .with("apiVersion", Json.of(resource.apiVersion(rendering.version())));
    }

    /// Ends the watch, also while another thread waits for events.
    @Override
    public void close() {
        watch.close();
    }
}
