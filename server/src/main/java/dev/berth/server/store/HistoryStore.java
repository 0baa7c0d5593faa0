package dev.berth.server.store;

import java.time.Duration;
import java.util.Optional;

/// A store that serves reads and watches from a [History] in memory.
public abstract class HistoryStore implements Store {

    private final History history;

    protected HistoryStore(History history) {
        this.history = history;
    }

    protected final History history() {
        return history;
    }

    /// Executes a write; returns when the history has it.
    protected abstract WriteResult write(Mutation mutation);

    @Override
    public final long revision() {
        return history.revision();
    }

    /// All writes are in the history, unless other servers use the same store.
    @Override
    public long sync() {
        return history.revision();
    }

    @Override
    public final boolean await(long revision, Duration timeout) throws InterruptedException {
        return history.await(revision, timeout);
    }

    @Override
    public final Optional<Entry> get(ObjectKey key) {
        return history.get(key);
    }

    @Override
    public final ListResult list(CollectionScope scope, long atRevision, String after, int limit) {
        return history.list(scope, atRevision, after, limit);
    }

    @Override
    public final WriteResult create(ObjectKey key, StoredValue value) {
        return write(Mutation.create(key, value));
    }

    @Override
    public final WriteResult update(ObjectKey key, long revision, StoredValue value) {
        return write(Mutation.update(key, revision, value));
    }

    @Override
    public final WriteResult delete(ObjectKey key, long revision) {
        return write(Mutation.delete(key, revision));
    }

    @Override
    public final Watch watch(CollectionScope scope, long after) {
        return history.watch(scope, after);
    }

    @Override
    public void compact(long revision) {
        history.compact(revision);
    }
}
