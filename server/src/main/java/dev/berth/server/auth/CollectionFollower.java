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

/// Follows a collection for something that is computed from it. It has no thread: it looks for news
/// when it is asked, so that a decision sees every write that was acknowledged before it. One
/// thread at a time may use it.
final class CollectionFollower {

    /// Whoever computes something from the collection.
    interface Reader {

        /// Everything told so far is void; what follows is the whole collection.
        void restart();

        void put(Entry entry);

        void remove(ObjectKey key);
    }

    private final Store store;
    private final CollectionScope scope;
    private final Reader reader;
    private Optional<Watch> watch = Optional.empty();

    CollectionFollower(Store store, String collection, Reader reader) {
        this.store = store;
        this.scope = CollectionScope.all(collection);
        this.reader = reader;
    }

    /// Tells the reader what is new; true when there was something.
    boolean catchUp() {
        if (watch.isEmpty()) {
            return reload();
        }
        try {
            return switch (watch.get().next(Duration.ZERO)) {
                case Watch.Changes(var changes, _) -> {
                    changes.forEach(this::tell);
                    yield !changes.isEmpty();
                }
                case Watch.TooOld _ -> reload();
                case Watch.Ended _ -> false;
            };
        } catch (InterruptedException _) {
            // Nothing was waited for; whoever interrupts wants the caller to notice, not us.
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void tell(Change change) {
        if (change.type() == Change.Type.DELETED) {
            reader.remove(change.entry().key());
        } else {
            reader.put(change.entry());
        }
    }

    private boolean reload() {
        watch.ifPresent(Watch::close);
        if (!(store.list(scope, 0, "", 0) instanceof ListResult.Page page)) {
            throw new IllegalStateException("the newest state of " + scope + " cannot be listed");
        }
        reader.restart();
        page.entries().forEach(reader::put);
        watch = Optional.of(store.watch(scope, page.revision()));
        return true;
    }
}
