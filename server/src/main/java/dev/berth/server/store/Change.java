package dev.berth.server.store;

import java.util.Optional;

/// One step from a revision to the next.
///
/// @param entry the object as it is now; for a deletion as it was last, at the new revision
/// @param previous the object as it was before; empty for a creation
public record Change(Type type, Entry entry, Optional<Entry> previous) {

    public enum Type {
        CREATED,
        UPDATED,
        DELETED
    }

    public long revision() {
        return entry.revision();
    }
}
