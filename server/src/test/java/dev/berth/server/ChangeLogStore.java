package dev.berth.server;

import dev.berth.server.store.Change;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import dev.berth.server.store.StoredValue;
import dev.berth.server.store.Watch;
import dev.berth.server.store.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// A store that records the changes of all kinds in one sequence. Used by one thread.
final class ChangeLogStore implements Store {

    private final Store store;
    private final List<Change> changes = new ArrayList<>();

    ChangeLogStore(Store store) {
        this.store = store;
    }

    List<Change> changes() {
        return Collections.unmodifiableList(changes);
    }

    @Override
    public WriteResult create(ObjectKey key, StoredValue value) {
        return recorded(Change.Type.CREATED, key, () -> store.create(key, value));
    }

    @Override
    public WriteResult update(ObjectKey key, long revision, StoredValue value) {
        return recorded(Change.Type.UPDATED, key, () -> store.update(key, revision, value));
    }

    @Override
    public WriteResult delete(ObjectKey key, long revision) {
        return recorded(Change.Type.DELETED, key, () -> store.delete(key, revision));
    }

    private WriteResult recorded(Change.Type type, ObjectKey key, Supplier<WriteResult> write) {
        var before = store.get(key);
        var result = write.get();
        if (result instanceof WriteResult.Done(var entry)) {
            changes.add(new Change(type, entry, before));
        }
        return result;
    }

    @Override
    public long revision() {
        return store.revision();
    }

    @Override
    public long sync() {
        return store.sync();
    }

    @Override
    public void awaitDurable(long revision) {
        store.awaitDurable(revision);
    }

    @Override
    public boolean await(long revision, Duration timeout) throws InterruptedException {
        return store.await(revision, timeout);
    }

    @Override
    public Optional<Entry> get(ObjectKey key) {
        return store.get(key);
    }

    @Override
    public ListResult list(CollectionScope scope, long atRevision, String after, int limit) {
        return store.list(scope, atRevision, after, limit);
    }

    @Override
    public Watch watch(CollectionScope scope, long after) {
        return store.watch(scope, after);
    }

    @Override
    public void compact(long revision) {
        store.compact(revision);
    }

    @Override
    public void close() {
        store.close();
    }
}
