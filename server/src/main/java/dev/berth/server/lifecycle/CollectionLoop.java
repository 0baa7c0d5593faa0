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

/// List-watch loop of one collection: delivers existing entries, then every change.
final class CollectionLoop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CollectionLoop.class);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    /// Handles each change.
    @FunctionalInterface
    interface Handler {
        void on(Change change);
    }

    private final Store store;
    private final CollectionScope scope;
    private final Handler handler;
    private final Thread thread;
    private volatile boolean closed;

    CollectionLoop(Store store, String collection, Handler handler) {
        this.store = store;
        this.scope = CollectionScope.all(collection);
        this.handler = handler;
        this.thread = Thread.ofVirtual().name("watch-" + collection).start(this::run);
    }

    private void run() {
        try {
            while (!closed) {
                listAndWatch();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Lists, then watches until the watch ends.
    private void listAndWatch() throws InterruptedException {
        try {
            if (!(store.list(scope, 0, "", 0) instanceof ListResult.Page page)) {
                return;
            }
            for (Entry entry : page.entries()) {
                handle(new Change(Change.Type.CREATED, entry, Optional.empty()));
            }
            try (var watch = store.watch(scope, page.revision())) {
                while (watch.next(Watch.FOREVER) instanceof Watch.Changes(var changes, _)) {
                    changes.forEach(this::handle);
                }
            }
        } catch (StoreException e) {
            LOG.warn("watching {} failed: {}", scope.collection(), e.getMessage());
        }
        if (!closed) {
            Thread.sleep(RETRY_DELAY);
        }
    }

    private void handle(Change change) {
        if (closed) {
            return;
        }
        try {
            handler.on(change);
        } catch (RuntimeException | Error e) {
            // A handler that is interrupted by the shutdown fails; it runs again after the next
            // start.
            if (!closed) {
                LOG.error("handling a change of {} failed", change.entry(), e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
