package dev.berth.server.auth;

import dev.berth.server.store.Change;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import dev.berth.server.store.Watch;
import java.time.Duration;
import java.util.Optional;

/// Keeps an index of a collection up to date. It has no thread: changes are read on demand, so that
/// a decision sees every write that was acknowledged before it. Used by one thread at a time.
final class CollectionFollower {

    /// The index that is kept up to date.
    interface Index {

        /// Discards everything; the whole collection follows.
        void clear();

        void put(Entry entry);

        void remove(ObjectKey key);
    }

    private final Store store;
    private final CollectionScope scope;
    private final Index index;
    private Optional<Watch> watch = Optional.empty();

    CollectionFollower(Store store, String collection, Index index) {
        this.store = store;
        this.scope = CollectionScope.all(collection);
        this.index = index;
    }

    /// Delivers new changes to the index; true when there were any.
    boolean catchUp() {
        if (watch.isEmpty()) {
            return reload();
        }
        try {
            return switch (watch.get().next(Duration.ZERO)) {
                case Watch.Changes(var changes, _) -> {
                    changes.forEach(this::deliver);
                    yield !changes.isEmpty();
                }
                case Watch.TooOld _ -> reload();
                case Watch.Ended _ -> false;
            };
        } catch (InterruptedException _) {
            // Nothing was waited for; the interrupt is for the caller.
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void deliver(Change change) {
        if (change.type() == Change.Type.DELETED) {
            index.remove(change.entry().key());
        } else {
            index.put(change.entry());
        }
    }

    private boolean reload() {
        watch.ifPresent(Watch::close);
        if (!(store.list(scope, 0, "", 0) instanceof ListResult.Page page)) {
            throw new IllegalStateException("cannot list the latest state of " + scope);
        }
        index.clear();
        page.entries().forEach(index::put);
        watch = Optional.of(store.watch(scope, page.revision()));
        return true;
    }
}
