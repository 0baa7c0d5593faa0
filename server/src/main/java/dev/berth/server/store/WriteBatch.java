package dev.berth.server.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Mutations evaluated but not yet applied: each against the history and the mutations before it.
public final class WriteBatch {

    private final History history;
    private final Map<ObjectKey, Optional<Entry>> pending = new HashMap<>();
    private final List<Change> changes = new ArrayList<>();
    private long revision;

    public WriteBatch(History history) {
        this.history = history;
        this.revision = history.revision();
    }

    /// The resulting changes, in order.
    public List<Change> changes() {
        return changes;
    }

    /// Evaluates a mutation and adds its change; returns the result to report once the changes are
    /// applied.
    public WriteResult evaluate(Mutation mutation) {
        var known = pending.get(mutation.key());
        var current = known == null ? history.get(mutation.key()) : known;
        if (mutation.type() == Change.Type.CREATED) {
            return current.<WriteResult>map(WriteResult.Exists::new)
                    .orElseGet(() -> add(mutation, mutation.value(), current));
        }
        if (current.isEmpty()) {
            return new WriteResult.Missing();
        }
        if (current.get().revision() != mutation.revision()) {
            return new WriteResult.Conflict(current.get());
        }
        var deletes = mutation.type() == Change.Type.DELETED;
        return add(
                mutation,
                deletes ? StoredValue.of(current.get().bytes()) : mutation.value(),
                current);
    }

    private WriteResult add(Mutation mutation, StoredValue value, Optional<Entry> previous) {
        revision++;
        var entry = value.at(mutation.key(), revision);
        changes.add(new Change(mutation.type(), entry, previous));
        var deletes = mutation.type() == Change.Type.DELETED;
        pending.put(mutation.key(), deletes ? Optional.empty() : Optional.of(entry));
        return new WriteResult.Done(entry);
    }
}
