package dev.berth.server.store;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One object as it was stored at one revision. The bytes must not be changed by anybody.
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

    /// The revision of the change that made it; for what was deleted, of the deletion.
    public long revision() {
        return revision;
    }

    public byte[] bytes() {
        return bytes;
    }

    /// Something that was computed from this entry, kept as long as the entry is. There is one such
    /// thing per entry; computing it twice at the same time is harmless.
    @SuppressWarnings("unchecked")
    public <T> T memo(Function<Entry, T> compute) {
        var known = memo;
        if (known == null) {
            known = compute.apply(this);
            memo = known;
        }
        return (T) known;
    }

    /// Takes a memo that somebody knows before anybody asks.
    Entry remembering(Object known) {
        memo = known;
        return this;
    }

    @Override
    public String toString() {
        return key.path() + "@" + revision;
    }
}
