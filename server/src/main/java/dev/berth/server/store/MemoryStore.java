package dev.berth.server.store;

/// A store without persistence.
public final class MemoryStore extends HistoryStore {

    public MemoryStore() {
        super(new History(1));
    }

    /// Synchronized, so that no other write comes between evaluating a mutation and applying it.
    @Override
    protected synchronized WriteResult write(Mutation mutation) {
        var batch = new WriteBatch(history());
        var result = batch.evaluate(mutation);
        if (!batch.changes().isEmpty()) {
            history().apply(batch.changes());
        }
        return result;
    }

    @Override
    public void close() {
        history().close();
    }
}
