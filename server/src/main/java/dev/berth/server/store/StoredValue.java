package dev.berth.server.store;

import java.util.Optional;
import java.util.function.Function;

/// The bytes to store, with an optional memo that the writer has already computed, so that readers
/// and watchers need not compute it again.
///
/// The bytes must not be modified.
public final class StoredValue {

    static final StoredValue NOTHING = of(new byte[0]);

    private final byte[] bytes;
    private final Optional<Function<Entry, Object>> memo;

    private StoredValue(byte[] bytes, Optional<Function<Entry, Object>> memo) {
        this.bytes = bytes;
        this.memo = memo;
    }

    /// Bytes without a memo.
    public static StoredValue of(byte[] bytes) {
        return new StoredValue(bytes, Optional.empty());
    }

    /// Bytes with a memo.
    ///
    /// @param memo computes the value that [Entry#memo] would compute
    public static StoredValue of(byte[] bytes, Function<Entry, Object> memo) {
        return new StoredValue(bytes, Optional.of(memo));
    }

    public byte[] bytes() {
        return bytes;
    }

    /// The entry with these bytes at a revision.
    public Entry at(ObjectKey key, long revision) {
        var entry = new Entry(key, revision, bytes);
        return memo.map(function -> entry.withMemo(function.apply(entry))).orElse(entry);
    }
}
