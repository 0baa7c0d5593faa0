package dev.berth.server.store;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// All objects in memory, and the recent changes. Serves every read of every store; stores differ
/// in how a change becomes durable.
///
/// Readers see one immutable state behind one volatile field, so reads never block. Changes are
/// kept per collection. The globally oldest changes are dropped when the number of changes or the
/// memory they hold exceeds its limit. A collection without changes therefore keeps its history
/// while others are busy.
public final class History {

    /// Maximum number of changes kept for watches and lists of older revisions.
    static final int KEPT_CHANGES = 100_000;

    /// Maximum estimated memory held only by kept changes.
    static final long KEPT_BYTES = 64L << 20;

    /// Memory of a change without the object that it replaced.
    private static final long CHANGE_BYTES = 200;

    /// Maximum number of changes per batch of a watch.
    static final int MAX_WATCH_BATCH = 1_000;

    /// Sorts after every path in a collection.
    private static final String LAST = "\uffff";

    private final int keptChanges;
    private final long keptBytes;
    private final RevisionWaiters waiters = new RevisionWaiters();
    private volatile State state;
    private volatile boolean closed;

    // The kept changes of all collections, oldest first, and the memory they hold. Guarded by this,
    // which is locked by threads that replace the state and never by readers.
    private final ArrayDeque<Change> kept = new ArrayDeque<>();
    private long heldBytes;

    public History(long revision) {
        this(revision, List.of(), KEPT_CHANGES, KEPT_BYTES);
    }

    public History(long revision, Iterable<Entry> objects) {
        this(revision, objects, KEPT_CHANGES, KEPT_BYTES);
    }

    public History(long revision, Iterable<Entry> objects, int keptChanges, long keptBytes) {
        this.keptChanges = keptChanges;
        this.keptBytes = keptBytes;
        this.state = State.of(revision, objects);
    }

    public long revision() {
        return state.revision();
    }

    public Optional<Entry> get(ObjectKey key) {
        return state.collectionState(key.collection()).objects().get(key.relativePath());
    }

    public ListResult list(CollectionScope scope, long atRevision, String after, int limit) {
        var now = state;
        if (atRevision > now.revision()) {
            return new ListResult.Future(now.revision());
        }
        var oldest = now.oldest(scope.collection());
        if (atRevision > 0 && atRevision < oldest) {
            return new ListResult.Compacted(oldest);
        }
        var collectionState = now.collectionState(scope.collection());
        var objects =
                atRevision == 0 ? collectionState.objects() : collectionState.objectsAt(atRevision);
        var revision = atRevision == 0 ? now.revision() : atRevision;
        // The paths of a namespace lie between its slash and the character after the slash.
        var start = scope.namespace().isEmpty() ? "" : scope.namespace() + "/";
        var end = scope.namespace().isEmpty() ? LAST : scope.namespace() + "0";
        var entries = objects.between(start.compareTo(after) > 0 ? start : after, end, limit);
        if (limit == 0 || entries.size() < limit) {
            return new ListResult.Page(revision, entries, 0);
        }
        var remaining =
                objects.countBefore(end)
                        - objects.countBefore(entries.getLast().key().relativePath())
                        - 1;
        return new ListResult.Page(revision, entries, remaining);
    }

    public void apply(Change change) {
        apply(List.of(change));
    }

    /// Makes changes visible atomically. Their revisions must be newer than that of the history.
    public void apply(List<Change> changes) {
        synchronized (this) {
            var next = state;
            for (var change : changes) {
                next = next.changed(change);
                kept.addLast(change);
                heldBytes += weight(change);
            }
            while (kept.size() > keptChanges || heldBytes > keptBytes) {
                next = withoutOldest(next);
            }
            state = next;
        }
        waiters.wake(changes, revision());
    }

    /// Replaces all objects, when the changes since the last revision cannot be obtained. Existing
    /// watches become too old.
    public void reset(long revision, Iterable<Entry> objects) {
        synchronized (this) {
            state = State.of(revision, objects);
            kept.clear();
            heldBytes = 0;
        }
        waiters.wakeAll();
    }

    public void compact(long upTo) {
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
        heldBytes -= weight(oldest);
        return from.withoutOldestChange(oldest.entry().key().collection());
    }

    /// Memory held only because the change is kept: the previous object. The current one is held by
    /// the collection or by the next change.
    private static long weight(Change change) {
        return CHANGE_BYTES + change.previous().map(before -> before.bytes().length).orElse(0);
    }

    public boolean await(long awaited, Duration timeout) throws InterruptedException {
        return revision() >= awaited
                || (waiters.await(awaited, timeout, () -> closed || revision() >= awaited)
                        && revision() >= awaited);
    }

    public Watch watch(CollectionScope scope, long after) {
        return new WatchCursor(this, waiters, scope, after);
    }

    /// Changes in the scope after the revision up to which a watcher has seen everything.
    Watch.Progress changesAfter(CollectionScope scope, long seen) {
        if (closed) {
            return new Watch.Ended();
        }
        var now = state;
        var oldest = now.oldest(scope.collection());
        if (seen < oldest) {
            return new Watch.TooOld(oldest);
        }
        var log = now.collectionState(scope.collection()).log();
        var found = new ArrayList<Change>();
        for (var i = log.firstAfter(seen); i < log.size(); i++) {
            var change = log.at(i);
            if (scope.contains(change.entry().key())) {
                found.add(change);
                if (found.size() == MAX_WATCH_BATCH) {
                    return new Watch.Changes(found, change.revision());
                }
            }
        }
        return new Watch.Changes(found, Math.max(seen, now.revision()));
    }

    public void close() {
        closed = true;
        waiters.wakeAll();
    }

    /// Immutable state that readers see.
    ///
    /// @param base revision of the initial objects; nothing older is known
    private record State(long revision, long base, PersistentTree<CollectionState> collections) {

        static State of(long revision, Iterable<Entry> objects) {
            var empty = new State(revision, revision, PersistentTree.empty());
            var collections = empty.collections;
            for (var entry : objects) {
                var collection = entry.key().collection();
                var collectionState = collections.get(collection).orElse(CollectionState.EMPTY);
                collections = collections.with(collection, collectionState.loaded(entry));
            }
            return new State(revision, revision, collections);
        }

        CollectionState collectionState(String collection) {
            return collections.get(collection).orElse(CollectionState.EMPTY);
        }

        /// The oldest revision at which the collection can be listed or watched.
        long oldest(String collection) {
            return Math.max(base, collectionState(collection).compacted());
        }

        State changed(Change change) {
            var collection = change.entry().key().collection();
            return new State(
                    change.revision(),
                    base,
                    collections.with(collection, collectionState(collection).changed(change)));
        }

        State withoutOldestChange(String collection) {
            return new State(
                    revision,
                    base,
                    collections.with(
                            collection, collectionState(collection).withoutOldestChange()));
        }
    }
}
