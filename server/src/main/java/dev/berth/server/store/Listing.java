package dev.berth.server.store;

import java.util.List;

/// What came of listing.
public sealed interface Listing {

    /// Objects in the order of their paths.
    ///
    /// @param revision the state of the store that this is a part of
    /// @param remaining how many follow behind the last of these
    record Page(long revision, List<Entry> entries, int remaining) implements Listing {
        public Page {
            entries = List.copyOf(entries);
        }
    }

    /// The state at that revision is no longer known.
    record Compacted(long oldest) implements Listing {}

    /// There is no such revision yet.
    record Future(long newest) implements Listing {}
}
