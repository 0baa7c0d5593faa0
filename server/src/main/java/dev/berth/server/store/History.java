package dev.berth.server.store;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// All objects in memory, and the changes that led to the newest of them. It answers every read of
/// every store; stores differ in how a change becomes durable.
///
/// What readers see is one immutable state behind one field, so reads wait for nothing. Changes are
/// kept per collection, and the oldest of all are forgotten when there are too many or they hold
/// too much; a collection in which nothing happens therefore keeps its history while others are
/// busy.
final class History {

    /// Changes that watchers and lists of older states can still ask for.
    static final int KEPT_CHANGES = 100_000;

    /// How much memory may be held only for the sake of such changes, estimated.
    static final long KEPT_BYTES = 64L << 20;

    /// What a change holds besides the object that it replaced.
    private static final long CHANGE_BYTES = 200;

    /// Changes that a watcher gets at once.
    static final int CHANGES_AT_ONCE = 1_000;

    /// Behind every path within a collection.
    private static final String LAST = "\uffff";

    private final int keptChanges;
    private final long keptBytes;
    private final RevisionWaiters waiters = new RevisionWaiters();
    private volatile State state;
    private volatile boolean closed;

    // The kept changes of all collections, oldest first, and what they hold. Guarded by this, which
    // is taken by whoever replaces the state and never by readers.
    private final ArrayDeque<Change> kept = new ArrayDeque<>();
    private long held;

    History(long revision) {
        this(revision, List.of(), KEPT_CHANGES, KEPT_BYTES);
    }

    History(long revision, Iterable<Entry> objects) {
        this(revision, objects, KEPT_CHANGES, KEPT_BYTES);
    }

    History(long revision, Iterable<Entry> objects, int keptChanges, long keptBytes) {
        this.keptChanges = keptChanges;
        this.keptBytes = keptBytes;
        this.state = State.of(revision, objects);
    }

    long revision() {
        return state.revision();
    }

    Optional<Entry> get(ObjectKey key) {
        return state.shelf(key.collection()).objects().get(key.within());
    }

    ListResult list(CollectionScope scope, long atRevision, String after, int limit) {
        var now = state;
        if (atRevision > now.revision()) {
            return new ListResult.Future(now.revision());
        }
        var oldest = now.oldest(scope.collection());
        if (atRevision > 0 && atRevision < oldest) {
            return new ListResult.Compacted(oldest);
        }
        var shelf = now.shelf(scope.collection());
        var objects = atRevision == 0 ? shelf.objects() : shelf.objectsAt(atRevision);
        var revision = atRevision == 0 ? now.revision() : atRevision;
        // A namespace is all between its slash and the character behind the slash.
        var start = scope.namespace().isEmpty() ? "" : scope.namespace() + "/";
        var end = scope.namespace().isEmpty() ? LAST : scope.namespace() + "0";
        var entries = objects.between(start.compareTo(after) > 0 ? start : after, end, limit);
        if (limit == 0 || entries.size() < limit) {
            return new ListResult.Page(revision, entries, 0);
        }
        var remaining =
                objects.countBefore(end)
                        - objects.countBefore(entries.getLast().key().within())
                        - 1;
        return new ListResult.Page(revision, entries, remaining);
    }

    void apply(Change change) {
        apply(List.of(change));
    }

    /// Makes changes visible, all at once. Their revisions are newer than that of the history.
    void apply(List<Change> changes) {
        synchronized (this) {
            var next = state;
            for (var change : changes) {
                next = next.changed(change);
                kept.addLast(change);
                held += weight(change);
            }
            while (kept.size() > keptChanges || held > keptBytes) {
                next = withoutOldest(next);
            }
            state = next;
        }
        waiters.wake(changes, revision());
    }

    /// Begins anew with other objects, when what has happened since cannot be learnt. Whoever
    /// watches has missed something.
    void reset(long revision, Iterable<Entry> objects) {
        synchronized (this) {
            state = State.of(revision, objects);
            kept.clear();
            held = 0;
        }
        waiters.wakeAll();
    }

    void compact(long upTo) {
        synchronized (this) {
            var next = state;
            while (!kept.isEmpty() && kept.getFirst().revision() <= upTo) {
                next = withoutOldest(next);
            }
            state = next;
        }
    }

    private State withoutOldest(State from) {
        var oldest = kept.removeFirst();
        held -= weight(oldest);
        return from.withoutOldestChange(oldest.entry().key().collection());
    }

    /// What is held only because the change is kept: the object as it was. As it is now, it is held
    /// by the collection or by the next change.
    private static long weight(Change change) {
        return CHANGE_BYTES + change.previous().map(before -> before.bytes().length).orElse(0);
    }

    boolean await(long wanted, Duration patience) throws InterruptedException {
        return revision() >= wanted
                || (waiters.await(wanted, patience, () -> closed || revision() >= wanted)
                        && revision() >= wanted);
    }

    Watch watch(CollectionScope scope, long after) {
        return new WatchCursor(this, waiters, scope, after);
    }

    /// What a watcher of that scope that knows everything up to a revision has not seen.
    Watch.Progress since(CollectionScope scope, long seen) {
        if (closed) {
            return new Watch.Ended();
        }
        var now = state;
        var oldest = now.oldest(scope.collection());
        if (seen < oldest) {
            return new Watch.TooOld(oldest);
        }
        var log = now.shelf(scope.collection()).log();
        var found = new ArrayList<Change>();
        for (var i = log.firstAfter(seen); i < log.size(); i++) {
            var change = log.at(i);
            if (scope.contains(change.entry().key())) {
                found.add(change);
                if (found.size() == CHANGES_AT_ONCE) {
                    return new Watch.Changes(found, change.revision());
                }
            }
        }
        return new Watch.Changes(found, Math.max(seen, now.revision()));
    }

    void close() {
        closed = true;
        waiters.wakeAll();
    }

    /// All that readers see.
    ///
    /// @param base nothing is known of what was before this revision
    private record State(long revision, long base, PersistentTree<CollectionState> shelves) {

        static State of(long revision, Iterable<Entry> objects) {
            var empty = new State(revision, revision, PersistentTree.empty());
            var shelves = empty.shelves;
            for (var entry : objects) {
                var collection = entry.key().collection();
                var shelf = shelves.get(collection).orElse(CollectionState.EMPTY);
                shelves = shelves.with(collection, shelf.loaded(entry));
            }
            return new State(revision, revision, shelves);
        }

        CollectionState shelf(String collection) {
            return shelves.get(collection).orElse(CollectionState.EMPTY);
        }

        /// The oldest revision at which that collection is still known.
        long oldest(String collection) {
            return Math.max(base, shelf(collection).forgotten());
        }

        State changed(Change change) {
            var collection = change.entry().key().collection();
            return new State(
                    change.revision(),
                    base,
                    shelves.with(collection, shelf(collection).changed(change)));
        }

        State withoutOldestChange(String collection) {
            return new State(
                    revision,
                    base,
                    shelves.with(collection, shelf(collection).withoutOldestChange()));
        }
    }
}
