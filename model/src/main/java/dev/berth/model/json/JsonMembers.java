package dev.berth.model.json;

import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// The immutable ordered members of an object.
///
/// Most objects have few members, and trees are copied more often than searched. So members are two
/// arrays; a copy with another value shares the names. Only objects with many members have an
/// index. Names with many hash collisions are looked up in a `HashMap`, which sorts colliding keys.
final class JsonMembers extends AbstractMap<String, Json> {

    static final JsonMembers NONE = new JsonMembers(new String[0], new Json[0], Index.NONE);

    /// Up to this size names are searched linearly.
    static final int FEW = 12;

    private final String[] names;
    private final Json[] values;

    private final Index index;

    // Memo; not part of equality. Races are benign: the loser recomputes.
    private @Nullable Object memo;

    /// Finds members by the hash of their name.
    ///
    /// @param slots open addressing by hash: the index of a member plus one, or zero; empty for few
    ///   members
    /// @param places index by name, used instead of the slots if too many hashes collide
    @SuppressWarnings("ArrayRecordComponent") // compared by identity only; read in the hot path
    private record Index(int[] slots, Map<String, Integer> places) {

        static final Index NONE = new Index(new int[0], Map.of());

        /// A longer probe sequence is not accidental: at most half of the slots are occupied.
        private static final int MAX_PROBES = 128;

        static Index of(String[] names) {
            if (names.length <= FEW) {
                return NONE;
            }
            var slots = new int[Integer.highestOneBit(names.length) * 4];
            for (var at = 0; at < names.length; at++) {
                var slot = slot(names[at], slots.length);
                for (var probes = 1; slots[slot] != 0; probes++) {
                    if (probes == MAX_PROBES) {
                        return colliding(names);
                    }
                    slot = (slot + 1) & (slots.length - 1);
                }
                slots[slot] = at + 1;
            }
            return new Index(slots, Map.of());
        }

        private static Index colliding(String[] names) {
            var places = HashMap.<String, Integer>newHashMap(names.length);
            for (var at = 0; at < names.length; at++) {
                places.put(names[at], at);
            }
            return new Index(NONE.slots, places);
        }

        private static int slot(String name, int slots) {
            var hash = name.hashCode();
            return (hash ^ (hash >>> 16)) & (slots - 1);
        }

        int find(String name, String[] names) {
            if (slots.length == 0) {
                return places.getOrDefault(name, -1);
            }
            for (var slot = slot(name, slots.length);
                    slots[slot] != 0;
                    slot = (slot + 1) & (slots.length - 1)) {
                var at = slots[slot] - 1;
                if (names[at].equals(name)) {
                    return at;
                }
            }
            return -1;
        }
    }

    private JsonMembers(String[] names, Json[] values, Index index) {
        this.names = names;
        this.values = values;
        this.index = index;
    }

    static JsonMembers of(Map<String, Json> members) {
        if (members instanceof JsonMembers done) {
            return done;
        }
        if (members.isEmpty()) {
            return NONE;
        }
        var names = new String[members.size()];
        var values = new Json[members.size()];
        var at = 0;
        for (var member : members.entrySet()) {
            names[at] = member.getKey();
            values[at++] = member.getValue();
        }
        return new JsonMembers(names, values, Index.of(names));
    }

    /// Members whose names are all different; the arrays must not be changed afterwards.
    static JsonMembers of(String[] names, Json[] values) {
        return new JsonMembers(names, values, Index.of(names));
    }

    String name(int at) {
        return names[at];
    }

    Json value(int at) {
        return values[at];
    }

    /// The index of a member; -1 when absent.
    @SuppressWarnings("ReferenceEquality") // there is one that stands for none
    private int find(Object name) {
        if (index != Index.NONE) {
            return name instanceof String text ? index.find(text, names) : -1;
        }
        for (var at = 0; at < names.length; at++) {
            if (names[at].equals(name)) {
                return at;
            }
        }
        return -1;
    }

    /// Sets one member; a new one is appended. Returns `this` if nothing changes.
    @SuppressWarnings("ReferenceEquality") // identical objects have not changed
    JsonMembers with(String name, Json value) {
        var at = find(name);
        if (at >= 0) {
            if (values[at] == value) {
                return this;
            }
            var changed = values.clone();
            changed[at] = value;
            return new JsonMembers(names, changed, index);
        }
        var moreNames = Arrays.copyOf(names, names.length + 1);
        var moreValues = Arrays.copyOf(values, values.length + 1);
        moreNames[names.length] = name;
        moreValues[values.length] = value;
        return new JsonMembers(moreNames, moreValues, Index.of(moreNames));
    }

    /// These members with those of `head` in front, replacing members of the same name; `this` if
    /// they start with them already.
    JsonMembers beginningWith(JsonMembers head) {
        var count = head.names.length;
        if (count > names.length || !Arrays.equals(names, 0, count, head.names, 0, count)) {
            return rearranged(head);
        }
        if (Arrays.equals(values, 0, count, head.values, 0, count)) {
            return this;
        }
        var changed = values.clone();
        System.arraycopy(head.values, 0, changed, 0, count);
        return new JsonMembers(names, changed, index);
    }

    private JsonMembers rearranged(JsonMembers head) {
        var builder = new JsonObjectBuilder();
        head.forEach(builder::put);
        for (var at = 0; at < names.length; at++) {
            if (!builder.has(names[at])) {
                builder.put(names[at], values[at]);
            }
        }
        return builder.members();
    }

    JsonMembers without(String name) {
        var gone = find(name);
        if (gone < 0) {
            return this;
        }
        var fewerNames = new String[names.length - 1];
        var fewerValues = new Json[values.length - 1];
        System.arraycopy(names, 0, fewerNames, 0, gone);
        System.arraycopy(values, 0, fewerValues, 0, gone);
        System.arraycopy(names, gone + 1, fewerNames, gone, fewerNames.length - gone);
        System.arraycopy(values, gone + 1, fewerValues, gone, fewerValues.length - gone);
        return new JsonMembers(fewerNames, fewerValues, Index.of(fewerNames));
    }

    @Nullable Object memo() {
        return memo;
    }

    void remember(Object newMemo) {
        memo = newMemo;
    }

    /// These members with equal values replaced by those of another object; the other members
    /// themselves if all are equal.
    @SuppressWarnings("ReferenceEquality") // compares by identity
    JsonMembers sharing(JsonMembers others) {
        if (others.names.length == 0) {
            return this;
        }
        var shared = new Json[values.length];
        var isSame = names.length == others.names.length;
        for (var at = 0; at < values.length; at++) {
            var place =
                    at < others.names.length && names[at].equals(others.names[at])
                            ? at
                            : others.find(names[at]);
            shared[at] =
                    place < 0 ? values[at] : StructuralSharing.of(values[at], others.values[place]);
            isSame &= place == at && shared[at] == others.values[place];
        }
        return isSame ? others : new JsonMembers(names, shared, index);
    }

    @Override
    public int size() {
        return names.length;
    }

    @Override
    public @Nullable Json get(Object name) {
        var at = find(name);
        return at < 0 ? null : values[at];
    }

    @Override
    public boolean containsKey(Object name) {
        return find(name) >= 0;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super Json> action) {
        for (var at = 0; at < names.length; at++) {
            action.accept(names[at], values[at]);
        }
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof JsonMembers that) || names.length != that.names.length) {
            return !(other instanceof JsonMembers) && super.equals(other);
        }
        for (var at = 0; at < names.length; at++) {
            var place = names[at].equals(that.names[at]) ? at : that.find(names[at]);
            if (place < 0 || !values[at].equals(that.values[place])) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }

    @Override
    public Set<String> keySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<String> iterator() {
                return new Turns<>(names.length, at -> names[at]);
            }

            @Override
            public int size() {
                return names.length;
            }

            @Override
            public boolean contains(Object name) {
                return find(name) >= 0;
            }
        };
    }

    @Override
    public Collection<Json> values() {
        return new AbstractCollection<>() {
            @Override
            public Iterator<Json> iterator() {
                return new Turns<>(values.length, at -> values[at]);
            }

            @Override
            public int size() {
                return values.length;
            }
        };
    }

    @Override
    public Set<Map.Entry<String, Json>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<String, Json>> iterator() {
                return new Turns<>(names.length, at -> Map.entry(names[at], values[at]));
            }

            @Override
            public int size() {
                return names.length;
            }
        };
    }

    private static final class Turns<T> implements Iterator<T> {
        private final int size;
        private final IntFunction<T> item;
        private int at;

        Turns(int size, IntFunction<T> item) {
            this.size = size;
            this.item = item;
        }

        @Override
        public boolean hasNext() {
            return at < size;
        }

        @Override
        public T next() {
            if (at >= size) {
                throw new NoSuchElementException();
            }
            return item.apply(at++);
        }
    }
}
