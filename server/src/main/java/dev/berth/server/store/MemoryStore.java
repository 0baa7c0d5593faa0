package dev.berth.server.store;

import java.time.Duration;
import java.util.Optional;

/// A store that forgets everything when it is closed.
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
    public boolean await(long revision, Duration patience) throws InterruptedException {
        return history.await(revision, patience);
    }

    @Override
    public Optional<Entry> get(Key key) {
        return history.get(key);
    }

    @Override
    public Listing list(Scope scope, long atRevision, String after, int limit) {
        return history.list(scope, atRevision, after, limit);
    }

    @Override
    public Write create(Key key, Value value) {
        return write(Mutation.create(key, value));
    }

    @Override
    public Write update(Key key, long revision, Value value) {
        return write(Mutation.update(key, revision, value));
    }

    @Override
    public Write delete(Key key, long revision) {
        return write(Mutation.delete(key, revision));
    }

    /// One at a time, so that nothing comes between judging and applying.
    private synchronized Write write(Mutation mutation) {
        var draft = new Draft(history);
        var answer = draft.judge(mutation);
        if (!draft.changes().isEmpty()) {
            history.apply(draft.changes());
        }
        return answer;
    }

    @Override
    public Watch watch(Scope scope, long after) {
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
