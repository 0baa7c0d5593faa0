package dev.berth.dashboard.watch;

/// Receives events of watches that are no changes of objects.
interface WatchListener {

    /// A complete list has arrived; it may be empty.
    void listed();

    /// The user may read a kind now, or no longer.
    void accessChanged();
}
