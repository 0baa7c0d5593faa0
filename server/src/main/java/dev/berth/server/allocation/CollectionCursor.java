package dev.berth.server.allocation;

import dev.berth.server.store.Change;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.Store;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Reads the changes of one collection on demand, on the caller's thread. The caller catches up
/// before it needs the latest state. Used by one thread at a time.
final class CollectionCursor {

    /// Receives the state of a collection.
    interface Listener {
        /// Replaces the state by all stored entries.
        void reload(List<Entry> entries);

        void apply(Change change);
    }

    private final Store store;
    private final CollectionScope scope;
    private Optional<Watch> watch = Optional.empty();

    CollectionCursor(Store store, String collection) {
        this.store = store;
        this.scope = CollectionScope.all(collection);
    }

    /// Delivers everything that reads of the store see and that was not delivered yet. The first
    /// time, and when the store has compacted unread changes, that is the whole collection.
    void catchUp(Listener listener) {
        var isDone = false;
        try {
            while (!isDone) {
                isDone = advance(listener);
            }
        } finally {
            if (!isDone) {
                // Some changes were read but not delivered.
                watch = Optional.empty();
            }
        }
    }

    /// True when there was nothing to deliver.
    private boolean advance(Listener listener) {
        return switch (next(watch.orElseGet(() -> reload(listener)))) {
            case Watch.Changes(var changes, _) -> {
                changes.forEach(listener::apply);
                yield changes.isEmpty();
            }
            case Watch.TooOld _ -> {
                watch = Optional.empty();
                yield false;
            }
            case Watch.Ended _ -> throw new StoreException("the store is closed");
        };
    }

    private Watch reload(Listener listener) {
        if (!(store.list(scope, 0, "", 0) instanceof ListResult.Page page)) {
            throw new StoreException("the store cannot list " + scope.collection());
        }
        listener.reload(page.entries());
        var started = store.watch(scope, page.revision());
        watch = Optional.of(started);
        return started;
    }

    private static Watch.Progress next(Watch watch) {
        try {
            return watch.next(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while reading changes", e);
        }
    }
}
