package dev.berth.server.store;

import java.time.Duration;

/// A watch that tells only what is durable.
public final class DurableWatch implements Watch {

    private final Store store;
    private final Watch watch;

    /// Watches everything that happens after that revision.
    public DurableWatch(Store store, CollectionScope scope, long after) {
        this.store = store;
        this.watch = store.watch(scope, after);
    }

    @Override
    public Progress next(Duration patience) throws InterruptedException {
        var progress = watch.next(patience);
        if (progress instanceof Changes changes) {
            store.secure(changes.revision());
        }
        return progress;
    }

    @Override
    public void close() {
        watch.close();
    }
}
