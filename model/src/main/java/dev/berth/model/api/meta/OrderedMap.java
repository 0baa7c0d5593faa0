package dev.berth.model.api.meta;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An immutable map from names, ordered by name as Kubernetes writes it.
///
/// Two arrays and a binary search: clusters hold hundreds of thousands of small maps, and an order
/// that depends on hash codes would make decisions differ from run to run.
public final class OrderedMap<V> extends AbstractMap<String, V> {

    private static final OrderedMap<?> EMPTY = new OrderedMap<>(new String[0], new Object[0]);

    private final String[] names;
    private final Object[] values;

    private OrderedMap(String[] names, Object[] values) {
        this.names = names;
        this.values = values;
    }

    @SuppressWarnings("unchecked")
    public static <V> Map<String, V> copyOf(Map<String, V> map) {
        if (map instanceof OrderedMap<V> ordered) {
            return ordered;
        }
        if (map.isEmpty()) {
            return (Map<String, V>) EMPTY;
        }
        var names = map.keySet().toArray(new String[0]);
        Arrays.sort(names);
        var values = new Object[names.length];
        for (var i = 0; i < names.length; i++) {
            values[i] = Objects.requireNonNull(map.get(names[i]));
        }
        return new OrderedMap<>(names, values);
    }

    @Override
    public int size() {
        return names.length;
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return position(name) >= 0;
    }

    @Override
    public @Nullable V get(@Nullable Object name) {
        var at = position(name);
        return at < 0 ? null : value(at);
    }

    private int position(@Nullable Object name) {
        return name instanceof String text ? Arrays.binarySearch(names, text) : -1;
    }

    @SuppressWarnings("unchecked")
    private V value(int at) {
        return (V) values[at];
    }

    @Override
    public Set<Entry<String, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return names.length;
            }

            @Override
            public Iterator<Entry<String, V>> iterator() {
                return new Entries();
            }
        };
    }

    private final class Entries implements Iterator<Entry<String, V>> {
        private int next;

        @Override
        public boolean hasNext() {
            return next < names.length;
        }

        @Override
        public Entry<String, V> next() {
            if (next >= names.length) {
                throw new NoSuchElementException();
            }
            var entry = Map.entry(names[next], value(next));
            next++;
            return entry;
        }
    }
}
