package dev.berth.server.store;

import java.time.Duration;
import java.util.Optional;

/// Objects by key, with one revision for each change, as in etcd: global, growing, never given
/// twice.
///
/// Reads are answered from memory. A write returns when reads see it, which may be before it is
/// durable: what comes after it cannot be durable without it, so whoever does nothing but write to
/// the same store can go on at once. Whoever tells anybody outside this process what they have read
/// or written calls [#secure] before.
///
/// Methods may be called from any thread and may block. A store that can no longer keep its promise
/// throws [StoreException].
public interface Store extends AutoCloseable {

    /// The newest revision that reads see.
    long revision();

    /// Waits until reads see everything that anybody was told to be durable before this call.
    /// Returns the revision that they see then.
    long sync();

    /// Waits until everything up to that revision, which reads have seen, is durable. In many
    /// stores all that reads see is.
    default void secure(long revision) {}

    /// Whether writes can be acknowledged.
    default StoreHealth health() {
        return new StoreHealth.Ready();
    }

    /// Waits until reads see that revision; false when they do not in time.
    boolean await(long revision, Duration patience) throws InterruptedException;

    Optional<Entry> get(ObjectKey key);

    /// Lists objects.
    ///
    /// @param atRevision the state to list; 0 for the newest
    /// @param after only what comes behind this path within the collection; empty for all
    /// @param limit at most so many; 0 for all
    ListResult list(CollectionScope scope, long atRevision, String after, int limit);

    WriteResult create(ObjectKey key, StoredValue value);

    /// Creates an object of which nothing but its bytes is known.
    default WriteResult create(ObjectKey key, byte[] bytes) {
        return create(key, StoredValue.of(bytes));
    }

    /// Replaces the object if it still is of that revision.
    WriteResult update(ObjectKey key, long revision, StoredValue value);

    /// Replaces the object, with nothing known but the bytes.
    default WriteResult update(ObjectKey key, long revision, byte[] bytes) {
        return update(key, revision, StoredValue.of(bytes));
    }

    /// Removes the object if it still is of that revision.
    WriteResult delete(ObjectKey key, long revision);

    /// Watches everything that happens after that revision.
    Watch watch(CollectionScope scope, long after);

    /// Forgets the history up to that revision. Objects stay.
    void compact(long revision);

    @Override
    void close();
}
