package dev.berth.server.store;

/// The objects and recent changes of one collection at one revision.
///
/// @param log the latest changes of this collection
/// @param compacted revision of the newest change of this collection that was dropped from the log;
///   0 if none was dropped
record CollectionState(PersistentTree<Entry> objects, ChangeLog log, long compacted) {

    static final CollectionState EMPTY =
            new CollectionState(PersistentTree.empty(), ChangeLog.EMPTY, 0);

    CollectionState loaded(Entry entry) {
        return new CollectionState(objects.with(entry.key().relativePath(), entry), log, compacted);
    }

    CollectionState changed(Change change) {
        var relativePath = change.entry().key().relativePath();
        var after =
                switch (change.type()) {
                    case CREATED, UPDATED -> objects.with(relativePath, change.entry());
                    case DELETED -> objects.without(relativePath);
                };
        return new CollectionState(after, log.with(change), compacted);
    }

    CollectionState withoutOldestChange() {
        return new CollectionState(objects, log.withoutFirst(), log.at(0).revision());
    }

    /// The objects at an older revision, computed by undoing later changes, newest first.
    PersistentTree<Entry> objectsAt(long revision) {
        var then = objects;
        var oldest = log.firstAfter(revision);
        for (var i = log.size() - 1; i >= oldest; i--) {
            var change = log.at(i);
            var relativePath = change.entry().key().relativePath();
            then =
                    change.previous().isPresent()
                            ? then.with(relativePath, change.previous().get())
                            : then.without(relativePath);
        }
        return then;
    }
}
