package dev.berth.server;

import dev.berth.server.store.Change;
import dev.berth.server.store.Entry;
import dev.berth.server.store.Key;
import dev.berth.server.store.Listing;
import dev.berth.server.store.Scope;
import dev.berth.server.store.Store;
import dev.berth.server.store.Value;
import dev.berth.server.store.Watch;
import dev.berth.server.store.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// A store that remembers all changes of all kinds in one order. Used by one thread.
final class RecordedStore implements Store {

    private final Store store;
    private final List<Change> changes = new ArrayList<>();

    RecordedStore(Store store) {
        this.store = store;
    }

    List<Change> changes() {
        return Collections.unmodifiableList(changes);
    }

    @Override
    public Write create(Key key, Value value) {
        return recorded(Change.Type.CREATED, key, () -> store.create(key, value));
    }

    @Override
    public Write update(Key key, long revision, Value value) {
        return recorded(Change.Type.UPDATED, key, () -> store.update(key, revision, value));
    }

    @Override
    public Write delete(Key key, long revision) {
        return recorded(Change.Type.DELETED, key, () -> store.delete(key, revision));
    }

    private Write recorded(Change.Type type, Key key, Supplier<Write> write) {
        var before = store.get(key);
        var answer = write.get();
        if (answer instanceof Write.Done(var entry)) {
            changes.add(new Change(type, entry, before));
        }
        return answer;
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
    public void secure(long revision) {
        store.secure(revision);
    }

    @Override
    public boolean await(long revision, Duration patience) throws InterruptedException {
        return store.await(revision, patience);
    }

    @Override
    public Optional<Entry> get(Key key) {
        return store.get(key);
    }

    @Override
    public Listing list(Scope scope, long atRevision, String after, int limit) {
        return store.list(scope, atRevision, after, limit);
    }

    @Override
    public Watch watch(Scope scope, long after) {
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
