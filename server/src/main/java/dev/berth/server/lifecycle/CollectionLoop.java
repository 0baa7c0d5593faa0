package dev.berth.server.lifecycle;

import dev.berth.server.store.Change;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.Store;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.Watch;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows one collection from its beginning on: first what is there, then every change.
final class CollectionLoop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CollectionLoop.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    /// What is done with each change.
    @FunctionalInterface
    interface Follower {
        void on(Change change);
    }

    private final Store store;
    private final CollectionScope scope;
    private final Follower follower;
    private final Thread thread;
    private volatile boolean closed;

    CollectionLoop(Store store, String collection, Follower follower) {
        this.store = store;
        this.scope = CollectionScope.all(collection);
        this.follower = follower;
        this.thread = Thread.ofVirtual().name("follow-" + collection).start(this::run);
    }

    private void run() {
        try {
            while (!closed) {
                follow();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Lists, then watches until the watch ends.
    private void follow() throws InterruptedException {
        try {
            if (!(store.list(scope, 0, "", 0) instanceof ListResult.Page page)) {
                return;
            }
            for (Entry entry : page.entries()) {
                tell(new Change(Change.Type.CREATED, entry, Optional.empty()));
            }
            try (var watch = store.watch(scope, page.revision())) {
                while (watch.next(Watch.FOREVER) instanceof Watch.Changes(var changes, _)) {
                    changes.forEach(this::tell);
                }
            }
        } catch (StoreException e) {
            LOG.warn("cannot follow {}: {}", scope.collection(), e.getMessage());
        }
        if (!closed) {
            Thread.sleep(RETRY);
        }
    }

    private void tell(Change change) {
        if (closed) {
            return;
        }
        try {
            follower.on(change);
        } catch (RuntimeException | Error e) {
            // Whoever is stopped in the middle of something fails at it, and goes on next time.
            if (!closed) {
                LOG.error("a loop failed on {}", change.entry(), e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
