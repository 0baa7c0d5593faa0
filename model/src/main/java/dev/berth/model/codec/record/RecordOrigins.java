package dev.berth.model.codec.record;

import dev.berth.model.json.JsonObject;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/// Bounded cache from records to the tree objects they were decoded from. Encoding an unchanged
/// record returns the same object, which other components may have processed already.
///
/// Direct-mapped: a record has one slot in a table of fixed size, and a new entry replaces the old
/// one. Races are benign: entries are immutable.
final class RecordOrigins {

    private static final int PLACES = 1 << 13;

    private final @Nullable Origin[] places = new @Nullable Origin[PLACES];

    private static final class Origin extends WeakReference<JsonObject> {
        private final RecordMapping<?> shape;
        private final Object value;

        private Origin(RecordMapping<?> shape, Object value, JsonObject tree) {
            super(tree);
            this.shape = shape;
            this.value = value;
        }
    }

    void put(RecordMapping<?> shape, Object value, JsonObject tree) {
        places[place(value)] = new Origin(shape, value, tree);
    }

    /// The object from which this very record was decoded, if still cached.
    @SuppressWarnings("ReferenceEquality") // an equal record may have been spelt otherwise
    @Nullable JsonObject of(RecordMapping<?> shape, Object value) {
        var origin = places[place(value)];
        return origin != null && origin.value == value && origin.shape == shape
                ? origin.get()
                : null;
    }

    private static int place(Object value) {
        return System.identityHashCode(value) & (PLACES - 1);
    }
}
