package dev.berth.server.store;

import java.time.Duration;
import java.util.Optional;

/// A store without persistence.
public final class MemoryStore implements Store {

    private final History history = new History(1);

    @Override
    public long revision() {
        return history.revision();
    }

    @Override
    public long sync() {
        return history.revision();
    }

    @Override
    public boolean await(long revision, Duration timeout) throws InterruptedException {
        return history.await(revision, timeout);
    }

    @Override
    public Optional<Entry> get(ObjectKey key) {
        return history.get(key);
    }

    @Override
    public ListResult list(CollectionScope scope, long atRevision, String after, int limit) {
        return history.list(scope, atRevision, after, limit);
    }

    @Override
    public WriteResult create(ObjectKey key, StoredValue value) {
        return write(Mutation.create(key, value));
    }

    @Override
    public WriteResult update(ObjectKey key, long revision, StoredValue value) {
        return write(Mutation.update(key, revision, value));
    }

    @Override
    public WriteResult delete(ObjectKey key, long revision) {
        return write(Mutation.delete(key, revision));
    }

    /// Synchronized, so that no other write comes between evaluating a mutation and applying it.
    private synchronized WriteResult write(Mutation mutation) {
        var batch = new WriteBatch(history);
        var result = batch.evaluate(mutation);
        if (!batch.changes().isEmpty()) {
            history.apply(batch.changes());
        }
        return result;
    }

    @Override
    public Watch watch(CollectionScope scope, long after) {
        return history.watch(scope, after);
    }

    @Override
    public void compact(long revision) {
        history.compact(revision);
    }

    @Override
    public void close() {
        history.close();
    }
}
