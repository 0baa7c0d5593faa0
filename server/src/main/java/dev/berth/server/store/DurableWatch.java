package dev.berth.server.store;

import java.time.Duration;

/// A watch that returns only durable changes.
public final class DurableWatch implements Watch {

    private final Store store;
    private final Watch watch;

    /// Watches changes after the revision.
    public DurableWatch(Store store, CollectionScope scope, long after) {
        this.store = store;
        this.watch = store.watch(scope, after);
    }

    @Override
    public Progress next(Duration timeout) throws InterruptedException {
        var progress = watch.next(timeout);
        if (progress instanceof Changes changes) {
            store.awaitDurable(changes.revision());
        }
        return progress;
    }

    @Override
    public void close() {
        watch.close();
    }
}
