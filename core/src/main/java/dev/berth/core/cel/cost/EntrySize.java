package dev.berth.core.cel.cost;

/// Sizes of the entries of a list or map literal.
///
/// @param key size of the keys of a map; one for the indexes of a list
record EntrySize(boolean list, SizeRange key, SizeRange value) {

    EntrySize union(EntrySize other) {
        return new EntrySize(list, key.union(other.key), value.union(other.value));
    }
}
