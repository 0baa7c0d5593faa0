package dev.berth.server.store;

import java.time.Duration;
import java.util.List;

/// A place in the history of the store. One thread at a time may use it.
public interface Watch extends AutoCloseable {

    /// Longer than anybody lives. Waiting without an end in sight is cheaper than any other.
    Duration FOREVER = Duration.ofDays(36_500);

    /// What came of waiting.
    sealed interface Progress {}

    /// What has happened since, in order; may be empty.
    ///
    /// @param revision everything in the scope up to here has now been seen
    record Changes(List<Change> changes, long revision) implements Progress {
        public Changes {
            changes = List.copyOf(changes);
        }
    }

    /// The watcher was too slow, or began too long ago: changes that it has not seen are forgotten.
    record TooOld(long oldest) implements Progress {}

    /// The store has been closed.
    record Ended() implements Progress {}

    /// The next changes; waits for one at most that long.
    Progress next(Duration patience) throws InterruptedException;

    @Override
    void close();
}
