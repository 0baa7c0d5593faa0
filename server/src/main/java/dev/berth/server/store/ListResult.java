package dev.berth.server.store;

import java.util.List;

/// Result of a list.
public sealed interface ListResult {

    /// Objects in path order.
    ///
    /// @param revision the revision of the store at which the objects were listed
    /// @param remaining number of objects after the last one of this page
    record Page(long revision, List<Entry> entries, int remaining) implements ListResult {
        public Page {
            entries = List.copyOf(entries);
        }
    }

    /// The requested revision has been compacted.
    record Compacted(long oldest) implements ListResult {}

    /// The requested revision does not exist yet.
    record Future(long newest) implements ListResult {}
}
