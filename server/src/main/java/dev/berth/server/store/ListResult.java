package dev.berth.server.store;

import java.util.List;

/// What came of listing.
public sealed interface ListResult {

    /// Objects in the order of their paths.
    ///
    /// @param revision the state of the store that this is a part of
    /// @param remaining how many follow behind the last of these
    record Page(long revision, List<Entry> entries, int remaining) implements ListResult {
        public Page {
            entries = List.copyOf(entries);
        }
    }

    /// The state at that revision is no longer known.
    record Compacted(long oldest) implements ListResult {}

    /// There is no such revision yet.
    record Future(long newest) implements ListResult {}
}
