package dev.berth.server.store;

import java.time.Duration;
import java.util.Optional;

/// Objects by key with a global revision per change, as in etcd: increasing, never reused.
///
/// Reads are served from memory. A write returns when reads see it, which may be before it is
/// durable. A later write cannot be durable without the earlier ones, so a caller that only writes
/// to the same store can continue at once. A caller that reveals read or written state outside this
/// process must call [#awaitDurable] before.
///
/// Methods may be called from any thread and may block. A store that can no longer read or write
/// throws [StoreException].
public interface Store extends AutoCloseable {

    /// The newest revision that reads see.
    long revision();

    /// Waits until reads see everything that was reported durable before this call, by any server.
    /// Returns the revision that reads see then.
    long sync();

    /// Waits until everything up to the revision, which reads have seen, is durable. In many stores
    /// all visible changes are durable.
    default void awaitDurable(long revision) {}

    /// Whether writes can be acknowledged.
    default StoreHealth health() {
        return new StoreHealth.Ready();
    }

    /// Waits until reads see the revision; false on timeout.
    boolean await(long revision, Duration timeout) throws InterruptedException;

    Optional<Entry> get(ObjectKey key);

    /// Lists objects.
    ///
    /// @param atRevision the revision to list; 0 for the newest
    /// @param after list only objects after this path in the collection; empty for all
    /// @param limit maximum number of objects; 0 for all
    ListResult list(CollectionScope scope, long atRevision, String after, int limit);

    WriteResult create(ObjectKey key, StoredValue value);

    /// Creates an object without a memo.
    default WriteResult create(ObjectKey key, byte[] bytes) {
        return create(key, StoredValue.of(bytes));
    }

    /// Replaces the object if it has the expected revision.
    WriteResult update(ObjectKey key, long revision, StoredValue value);

    /// Replaces the object, without a memo.
    default WriteResult update(ObjectKey key, long revision, byte[] bytes) {
        return update(key, revision, StoredValue.of(bytes));
    }

    /// Deletes the object if it has the expected revision.
    WriteResult delete(ObjectKey key, long revision);

    /// Watches changes after the revision.
    Watch watch(CollectionScope scope, long after);

    /// Drops the history up to the revision. Objects stay.
    void compact(long revision);

    @Override
    void close();
}
