package dev.berth.server.store;

import java.util.Optional;
import java.util.function.Function;

/// What somebody wants to be stored: the bytes, and what the writer knows of them already, so that
/// those who are told of the change need not find it out again.
///
/// The bytes must not be changed by anybody.
public final class StoredValue {

    static final StoredValue NOTHING = of(new byte[0]);

    private final byte[] bytes;
    private final Optional<Function<Entry, Object>> knowledge;

    private StoredValue(byte[] bytes, Optional<Function<Entry, Object>> knowledge) {
        this.bytes = bytes;
        this.knowledge = knowledge;
    }

    /// Bytes of which nothing is known.
    public static StoredValue of(byte[] bytes) {
        return new StoredValue(bytes, Optional.empty());
    }

    /// Bytes of which something is known.
    ///
    /// @param knowledge makes of the entry what [Entry#memo] would compute
    public static StoredValue of(byte[] bytes, Function<Entry, Object> knowledge) {
        return new StoredValue(bytes, Optional.of(knowledge));
    }

    byte[] bytes() {
        return bytes;
    }

    /// The entry that these bytes become at a revision.
    Entry at(ObjectKey key, long revision) {
        var entry = new Entry(key, revision, bytes);
        return knowledge.map(known -> entry.remembering(known.apply(entry))).orElse(entry);
    }
}
