package dev.berth.core.persistent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// An immutable sorted map: adding an entry returns another map.
///
/// Entries are stored in chunks, keys and values alternating. A change copies one chunk and the
/// array of chunks: a fraction of a microsecond in a map of ten thousand entries. Maps with a
/// common history share most chunks; [#changesSince] skips these. The store has a tree instead
/// (`server.store.PersistentTree`, which says why).
///
/// @param <K> keys are compared by their natural order only
public final class PersistentSortedMap<K extends Comparable<? super K>, V> {

    /// Maximum number of entries per chunk; a larger chunk is split.
    static final int MAX_ENTRIES = 64;

    private static final int WIDTH = 2;

    private static final PersistentSortedMap<String, Object> NONE =
            new PersistentSortedMap<>(new Object[0][], 0);

    private final Object[][] chunks;
    private final int size;

    private PersistentSortedMap(Object[][] chunks, int size) {
        this.chunks = chunks;
        this.size = size;
    }

    /// An empty map.
    @SuppressWarnings("unchecked") // an empty map has no elements
    public static <K extends Comparable<? super K>, V> PersistentSortedMap<K, V> of() {
        return (PersistentSortedMap<K, V>) (PersistentSortedMap<?, ?>) NONE;
    }

    /// The entries of a map that is sorted by the order of its keys.
    public static <K extends Comparable<? super K>, V> PersistentSortedMap<K, V> of(
            SortedMap<K, V> entries) {
        var all = new Object[entries.size() * WIDTH];
        var at = 0;
        for (var entry : entries.entrySet()) {
            all[at++] = entry.getKey();
            all[at++] = entry.getValue();
        }
        // Chunks start three quarters full, so that the next insertions do not split them.
        var step = MAX_ENTRIES / 4 * 3 * WIDTH;
        var chunks = new Object[(all.length + step - 1) / step][];
        for (var i = 0; i < chunks.length; i++) {
            chunks[i] = Arrays.copyOfRange(all, i * step, Math.min(all.length, (i + 1) * step));
        }
        return new PersistentSortedMap<>(chunks, entries.size());
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public Optional<V> find(K key) {
        var chunk = chunkOf(key);
        if (chunk < 0) {
            return Optional.empty();
        }
        var at = indexIn(chunks[chunk], key);
        return at < 0 ? Optional.empty() : Optional.of(value(chunks[chunk], at));
    }

    /// Adds or replaces an entry.
    @SuppressWarnings("ReferenceEquality") // comparing values may cost more than a copy
    public PersistentSortedMap<K, V> with(K key, V value) {
        if (chunks.length == 0) {
            return new PersistentSortedMap<>(new Object[][] {{key, value}}, 1);
        }
        var number = Math.max(0, chunkOf(key));
        var chunk = chunks[number];
        var at = indexIn(chunk, key);
        if (at >= 0) {
            if (chunk[at + 1] == value) {
                return this;
            }
            var changed = chunk.clone();
            changed[at + 1] = value;
            return new PersistentSortedMap<>(replaced(number, changed), size);
        }
        var grown = inserted(chunk, -at - 1, key, value);
        var isFull = grown.length > MAX_ENTRIES * WIDTH;
        return new PersistentSortedMap<>(
                isFull ? split(number, grown) : replaced(number, grown), size + 1);
    }

    /// Removes the entry of a key.
    public PersistentSortedMap<K, V> without(K key) {
        var number = chunkOf(key);
        var at = number < 0 ? -1 : indexIn(chunks[number], key);
        if (at < 0) {
            return this;
        }
        var chunk = chunks[number];
        if (chunk.length == WIDTH) {
            var fewer = new Object[chunks.length - 1][];
            System.arraycopy(chunks, 0, fewer, 0, number);
            System.arraycopy(chunks, number + 1, fewer, number, fewer.length - number);
            return new PersistentSortedMap<>(fewer, size - 1);
        }
        var shrunk = new Object[chunk.length - WIDTH];
        System.arraycopy(chunk, 0, shrunk, 0, at);
        System.arraycopy(chunk, at + WIDTH, shrunk, at, shrunk.length - at);
        return new PersistentSortedMap<>(replaced(number, shrunk), size - 1);
    }

    private static Object[] inserted(Object[] chunk, int at, Object key, Object value) {
        var grown = new Object[chunk.length + WIDTH];
        System.arraycopy(chunk, 0, grown, 0, at);
        grown[at] = key;
        grown[at + 1] = value;
        System.arraycopy(chunk, at, grown, at + WIDTH, chunk.length - at);
        return grown;
    }

    private Object[][] replaced(int number, Object[] chunk) {
        var all = chunks.clone();
        all[number] = chunk;
        return all;
    }

    private Object[][] split(int number, Object[] chunk) {
        var all = new Object[chunks.length + 1][];
        System.arraycopy(chunks, 0, all, 0, number);
        var middle = chunk.length / WIDTH / 2 * WIDTH;
        all[number] = Arrays.copyOfRange(chunk, 0, middle);
        all[number + 1] = Arrays.copyOfRange(chunk, middle, chunk.length);
        System.arraycopy(chunks, number + 1, all, number + 2, chunks.length - number - 1);
        return all;
    }

    /// The index of the last chunk whose first key is not greater than the key; -1 if there is
    /// none.
    private int chunkOf(K key) {
        var low = 0;
        var high = chunks.length - 1;
        while (low <= high) {
            var middle = (low + high) >>> 1;
            if (this.key(chunks[middle], 0).compareTo(key) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /// The index of the key, or `-(insertion point) - 1`.
    private int indexIn(Object[] chunk, K key) {
        var low = 0;
        var high = chunk.length / WIDTH - 1;
        while (low <= high) {
            var middle = (low + high) >>> 1;
            var order = this.key(chunk, middle * WIDTH).compareTo(key);
            if (order == 0) {
                return middle * WIDTH;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low * WIDTH - 1;
    }

    @SuppressWarnings("unchecked") // keys are at even indexes only
    private K key(Object[] chunk, int at) {
        return (K) chunk[at];
    }

    @SuppressWarnings("unchecked") // values follow their keys
    private V value(Object[] chunk, int at) {
        return (V) chunk[at + 1];
    }

    /// The key at an index.
    public K key(int place) {
        var chunk = 0;
        var at = place;
        while (at >= chunks[chunk].length / WIDTH) {
            at -= chunks[chunk++].length / WIDTH;
        }
        return key(chunks[chunk], at * WIDTH);
    }

    /// Visits all entries in order.
    public void forEach(BiConsumer<? super K, ? super V> visit) {
        for (var chunk : chunks) {
            for (var at = 0; at < chunk.length; at += WIDTH) {
                visit.accept(key(chunk, at), value(chunk, at));
            }
        }
    }

    /// All values in the order of their keys.
    public List<V> values() {
        var values = new ArrayList<V>(size);
        forEach((_, value) -> values.add(value));
        return values;
    }

    /// Visits the values from an index, wrapping around, until the visitor returns false.
    ///
    /// @param visit returns false to stop
    /// @return the number of visited values
    public int round(int start, Predicate<? super V> visit) {
        var chunk = 0;
        var at = start;
        while (chunk < chunks.length && at >= chunks[chunk].length / WIDTH) {
            at -= chunks[chunk++].length / WIDTH;
        }
        for (var visited = 1; visited <= size; visited++) {
            if (chunk == chunks.length) {
                chunk = 0;
            }
            if (!visit.test(value(chunks[chunk], at * WIDTH))) {
                return visited;
            }
            if (++at == chunks[chunk].length / WIDTH) {
                at = 0;
                chunk++;
            }
        }
        return size;
    }

    /// Visits the keys whose entry was added, removed or replaced by another object since an
    /// earlier map.
    @SuppressWarnings("ReferenceEquality") // a value is the same object until it is replaced
    public void changesSince(PersistentSortedMap<K, V> before, Consumer<? super K> visit) {
        var old = new Cursor<>(before);
        var now = new Cursor<>(this);
        while (!old.isAtEnd() || !now.isAtEnd()) {
            if (old.isAtSameChunkAs(now)) {
                old.skipChunk();
                now.skipChunk();
                continue;
            }
            var order = old.isAtEnd() ? 1 : now.isAtEnd() ? -1 : old.key().compareTo(now.key());
            if (order != 0 || old.value() != now.value()) {
                visit.accept(order < 0 ? old.key() : now.key());
            }
            if (order <= 0) {
                old.advance();
            }
            if (order >= 0) {
                now.advance();
            }
        }
    }

    /// A position in a map.
    private static final class Cursor<K extends Comparable<? super K>, V> {

        private final PersistentSortedMap<K, V> map;
        private int chunk;
        private int at;

        Cursor(PersistentSortedMap<K, V> map) {
            this.map = map;
        }

        boolean isAtEnd() {
            return chunk == map.chunks.length;
        }

        /// Shared chunks have equal keys before them, or these are visited first, so that both
        /// cursors reach the start of a shared chunk before either advances.
        @SuppressWarnings("ReferenceEquality") // detects shared chunks
        boolean isAtSameChunkAs(Cursor<K, V> other) {
            return at == 0
                    && other.at == 0
                    && !isAtEnd()
                    && !other.isAtEnd()
                    && map.chunks[chunk] == other.map.chunks[other.chunk];
        }

        void skipChunk() {
            chunk++;
            at = 0;
        }

        K key() {
            return map.key(map.chunks[chunk], at);
        }

        V value() {
            return map.value(map.chunks[chunk], at);
        }

        void advance() {
            at += WIDTH;
            if (at == map.chunks[chunk].length) {
                skipChunk();
            }
        }
    }
}
