package dev.berth.server.store;

import java.time.Duration;
import java.util.List;

/// A position in the history of the store. Not thread-safe, except for [#close].
public interface Watch extends AutoCloseable {

    /// Timeout for waits without a limit. Waiting without a limit is cheaper, since it needs no
    /// timer.
    Duration FOREVER = Duration.ofDays(36_500);

    /// Result of waiting for changes.
    sealed interface Progress {}

    /// Changes since the last call, in order; may be empty.
    ///
    /// @param revision everything in the scope up to this revision has been seen
    record Changes(List<Change> changes, long revision) implements Progress {
        public Changes {
            changes = List.copyOf(changes);
        }
    }

    /// The watcher was too slow or started too far back: changes that it has not seen were dropped.
    record TooOld(long oldest) implements Progress {}

    /// The store or the watch was closed.
    record Ended() implements Progress {}

    /// The next changes; waits at most `timeout` for the first one.
    Progress next(Duration timeout) throws InterruptedException;

    @Override
    void close();
}
