package dev.berth.server.store;

import java.util.Optional;
import java.util.function.Function;

/// What somebody wants to be stored: the bytes, and what the writer knows of them already, so that
/// those who are told of the change need not find it out again.
///
/// The bytes must not be changed by anybody.
public final class Value {

    static final Value NOTHING = of(new byte[0]);

    private final byte[] bytes;
    private final Optional<Function<Entry, Object>> knowledge;

    private Value(byte[] bytes, Optional<Function<Entry, Object>> knowledge) {
        this.bytes = bytes;
        this.knowledge = knowledge;
    }

    /// Bytes of which nothing is known.
    public static Value of(byte[] bytes) {
        return new Value(bytes, Optional.empty());
    }

    /// Bytes of which something is known.
    ///
    /// @param knowledge makes of the entry what [Entry#memo] would compute
    public static Value of(byte[] bytes, Function<Entry, Object> knowledge) {
        return new Value(bytes, Optional.of(knowledge));
    }

    byte[] bytes() {
        return bytes;
    }

    /// The entry that these bytes become at a revision.
    Entry at(Key key, long revision) {
        var entry = new Entry(key, revision, bytes);
        return knowledge.map(known -> entry.remembering(known.apply(entry))).orElse(entry);
    }
}
