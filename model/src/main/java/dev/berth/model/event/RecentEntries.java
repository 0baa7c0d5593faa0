package dev.berth.model.event;

import java.util.LinkedHashMap;
import java.util.Map;

/// A map that drops the least recently used entry beyond [#MAX_ENTRIES], as each cache of
/// client-go's correlator does.
final class RecentEntries<K, V> extends LinkedHashMap<K, V> {

    static final int MAX_ENTRIES = 4_096;

    private static final long serialVersionUID = 1;
    private static final float LOAD_FACTOR = 0.75f;

    RecentEntries() {
        super(16, LOAD_FACTOR, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > MAX_ENTRIES;
    }
}
