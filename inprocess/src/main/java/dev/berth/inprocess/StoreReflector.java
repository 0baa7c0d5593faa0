package dev.berth.inprocess;

import dev.berth.client.Cluster;
import dev.berth.server.store.Change;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.Store;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lists and watches one collection of the store for one event handler, on a thread of its own.
final class StoreReflector implements Cluster.Subscription {

    private static final Logger LOG = LoggerFactory.getLogger(StoreReflector.class);

    /// Delay before the list is repeated after a failure of the event handler.
    private static final Duration FAILURE_BACKOFF = Duration.ofMillis(200);

    /// An event handler with the decoder of its objects.
    ///
    /// @param read decodes an object; objects on which it throws are skipped
    record Handler<T>(
            Predicate<Entry> selection, Cluster.EventHandler<T> handler, Function<Entry, T> read) {

        void all(ListResult.Page page) {
            var objects = new ArrayList<T>();
            for (var entry : page.entries()) {
                if (selection.test(entry)) {
                    object(entry).ifPresent(objects::add);
                }
            }
            handler.replaceAll(objects);
        }

        void changes(List<Change> changes) {
            handler.batch(() -> changes.forEach(this::change));
        }

        private void change(Change change) {
            var was = change.previous().filter(selection);
            if (change.type() != Change.Type.DELETED && selection.test(change.entry())) {
                object(change.entry()).ifPresent(handler::put);
            } else if (was.isPresent()) {
                object(was.get()).ifPresent(handler::remove);
            }
        }

        /// The object of an entry; empty when it cannot be decoded. Other objects are not affected.
        private Optional<T> object(Entry entry) {
            try {
                return Optional.of(read.apply(entry));
            } catch (RuntimeException e) {
                LOG.warn("left out an object: {}", e.getMessage());
                return Optional.empty();
            }
        }
    }

    private final Store store;
    private final LongConsumer durability;
    private final CollectionScope scope;
    private final Handler<?> telling;
    private final Thread thread;

    /// Creates a reflector.
    ///
    /// @param durability blocks until a revision may be passed to the event handler
    StoreReflector(Store store, LongConsumer durability, String collection, Handler<?> telling) {
        this.store = store;
        this.durability = durability;
        this.scope = CollectionScope.all(collection);
        this.telling = telling;
        this.thread = Thread.ofVirtual().name("follow-" + collection).start(this::run);
    }

    private void run() {
        try {
            while (followSafely()) {
                // The watch fell behind or the event handler failed: list again.
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (StoreException e) {
            LOG.error("{} is not followed any more: {}", scope.collection(), e.getMessage());
        }
    }

    /// Watches until closed. After a failure of the event handler the caller lists again, so that
    /// no change is lost.
    private boolean followSafely() throws InterruptedException {
        try {
            return watch();
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            LOG.error("{}: a follower failed", scope.collection(), e);
            Thread.sleep(FAILURE_BACKOFF);
            return true;
        }
    }

    /// Passes changes on; returns true when the caller must list again.
    private boolean watch() throws InterruptedException {
        if (!(store.list(scope, 0, "", 0) instanceof ListResult.Page page)) {
            return true;
        }
        durability.accept(page.revision());
        telling.all(page);
        try (var watch = store.watch(scope, page.revision())) {
            while (true) {
                switch (watch.next(Watch.FOREVER)) {
                    case Watch.Changes(var changes, var revision) -> {
                        durability.accept(revision);
                        telling.changes(changes);
                    }
                    case Watch.TooOld _ -> {
                        return true;
                    }
                    case Watch.Ended _ -> {
                        return false;
                    }
                }
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
