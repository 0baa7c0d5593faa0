package dev.berth.core.cel.cost;

/// The sizes of the entries of a list or map that the expression itself builds.
///
/// @param key of a map's keys; one for a list's indices
record EntrySize(boolean list, SizeRange key, SizeRange value) {

    EntrySize union(EntrySize other) {
        return new EntrySize(list, key.union(other.key), value.union(other.value));
    }
}
