package dev.berth.server.store;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One object as stored at one revision. The bytes must not be modified.
public final class Entry {

    private final ObjectKey key;
    private final long revision;
    private final byte[] bytes;
    private volatile @Nullable Object memo;

    public Entry(ObjectKey key, long revision, byte[] bytes) {
        this.key = key;
        this.revision = revision;
        this.bytes = bytes;
    }

    public ObjectKey key() {
        return key;
    }

    /// Revision of the last change of the object; for a deleted object, of the deletion.
    public long revision() {
        return revision;
    }

    public byte[] bytes() {
        return bytes;
    }

    /// A value computed from this entry and cached as long as the entry. There is one per entry;
    /// computing it twice concurrently is harmless.
    @SuppressWarnings("unchecked")
    public <T> T memo(Function<Entry, T> compute) {
        var known = memo;
        if (known == null) {
            known = compute.apply(this);
            memo = known;
        }
        return (T) known;
    }

    /// Sets the memo that the writer has already computed.
    Entry withMemo(Object known) {
        memo = known;
        return this;
    }

    @Override
    public String toString() {
        return key.path() + "@" + revision;
    }
}
