package dev.berth.dashboard.watch;

/// Receives what the caches of watched objects do not tell their listeners.
interface WatchListener {

    /// A complete list has arrived; it may be empty.
    void listed();

    /// The user may read a kind now, or no longer.
    void accessChanged();
}
