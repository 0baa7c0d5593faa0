package dev.berth.server.patch;

import org.jspecify.annotations.Nullable;

/// Field sets that were met before, so that equal ones become the same object.
///
/// The same few kinds of writes repeat for ever and make the same sets. A set that was met before
/// has its JSON with it, and the text of that, which need not be written again. Of sets that have
/// something of their own, such as the uid of an owner, the other parts are known.
///
/// A set is kept in the place that its hash says, until another comes there: what was forgotten is
/// only made again. Threads may race for a place, since sets are immutable; who loses is forgotten.
public final class FieldSetCache {

    /// Makes nothing of sets: they stay as they are.
    public static final FieldSetCache NONE = new FieldSetCache(0);

    /// A cluster has some hundred sets and parts of sets that repeat. A power of two.
    private static final int PLACES = 1024;

    /// Longer ones are rare, and many of them would take much memory.
    private static final int MOST_LENGTH = 8_192;

    private final @Nullable FieldSet[] places;

    public FieldSetCache() {
        this(PLACES);
    }

    private FieldSetCache(int places) {
        this.places = new FieldSet[places];
    }

    /// A set that is written like this one: the one that was met before, if it is still known.
    FieldSet known(FieldSet set) {
        return places.length == 0 || set.leftOf(MOST_LENGTH) < 0 ? set : knownShort(set);
    }

    private FieldSet knownShort(FieldSet set) {
        if (set.isEmpty()) {
            return set;
        }
        var place = place(set.hashCode());
        var known = places[place];
        if (known != null && known.equals(set)) {
            known.keepText();
            return known;
        }
        var shared = set.withParts((_, part) -> knownShort(part));
        places[place] = shared;
        return shared;
    }

    private int place(int hash) {
        return (hash ^ (hash >>> 10) ^ (hash >>> 20)) & (places.length - 1);
    }
}
