package dev.berth.server.store;

/// One collection at one moment.
///
/// @param log the latest changes of this collection
/// @param forgotten the revision of the newest change of this collection that is not in the log any
///   more; 0 when there is none
record CollectionState(PersistentTree<Entry> objects, ChangeLog log, long forgotten) {

    static final CollectionState EMPTY =
            new CollectionState(PersistentTree.empty(), ChangeLog.EMPTY, 0);

    CollectionState loaded(Entry entry) {
        return new CollectionState(objects.with(entry.key().within(), entry), log, forgotten);
    }

    CollectionState changed(Change change) {
        var within = change.entry().key().within();
        var after =
                switch (change.type()) {
                    case CREATED, UPDATED -> objects.with(within, change.entry());
                    case DELETED -> objects.without(within);
                };
        return new CollectionState(after, log.with(change), forgotten);
    }

    CollectionState withoutOldestChange() {
        return new CollectionState(objects, log.withoutFirst(), log.at(0).revision());
    }

    /// The objects as they were: later changes are taken back, newest first.
    PersistentTree<Entry> objectsAt(long revision) {
        var then = objects;
        var oldest = log.firstAfter(revision);
        for (var i = log.size() - 1; i >= oldest; i--) {
            var change = log.at(i);
            var within = change.entry().key().within();
            then =
                    change.previous().isPresent()
                            ? then.with(within, change.previous().get())
                            : then.without(within);
        }
        return then;
    }
}
