package dev.berth.model.codec;

import dev.berth.model.json.JsonObject;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/// Which objects of trees the last records were read from, for those who write such a record again:
/// what a record has not changed comes out as the same object, which others know already.
///
/// A record has one place in a table of fixed size; a newcomer takes the place of whoever is there.
/// Races between threads are harmless: the entries are immutable.
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

    /// What a shape has read that very record from, if it is still known.
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
