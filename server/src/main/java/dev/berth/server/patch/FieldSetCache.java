package dev.berth.server.patch;

import org.jspecify.annotations.Nullable;

/// Interns field sets, so that equal sets become the same object.
///
/// The same few kinds of writes repeat and produce the same sets. An interned set keeps its JSON
/// and the text of that, which need not be written again. Of a set with a unique part, such as the
/// UID of an owner, the other subtrees are interned.
///
/// A direct-mapped hash table: a set stays in the slot of its hash until another one replaces it,
/// and an evicted set is only computed again. Threads may race for a slot, since sets are
/// immutable; the loser is evicted.
public final class FieldSetCache {

    /// Interns nothing.
    public static final FieldSetCache NONE = new FieldSetCache(0);

    /// Number of slots; a power of two. A cluster has some hundred repeating sets and subtrees.
    private static final int SLOTS = 1024;

    /// Maximum length of an interned set. Longer ones are rare, and many of them would need much
    /// memory.
    private static final int MAX_LENGTH = 8_192;

    private final @Nullable FieldSet[] slots;

    public FieldSetCache() {
        this(SLOTS);
    }

    private FieldSetCache(int slots) {
        this.slots = new FieldSet[slots];
    }

    /// The interned set that serializes like this one; the set itself if there is none.
    FieldSet intern(FieldSet set) {
        return slots.length == 0 || set.remainingLength(MAX_LENGTH) < 0 ? set : internShort(set);
    }

    private FieldSet internShort(FieldSet set) {
        if (set.isEmpty()) {
            return set;
        }
        var slot = slot(set.hashCode());
        var cached = slots[slot];
        if (cached != null && cached.equals(set)) {
            cached.keepText();
            return cached;
        }
        var shared = set.mapChildren((_, part) -> internShort(part));
        slots[slot] = shared;
        return shared;
    }

    private int slot(int hash) {
        return (hash ^ (hash >>> 10) ^ (hash >>> 20)) & (slots.length - 1);
    }
}
