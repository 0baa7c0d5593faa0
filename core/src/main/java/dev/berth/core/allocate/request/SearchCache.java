package dev.berth.core.allocate.request;

import dev.berth.core.allocate.search.DeviceSearch;
import dev.berth.core.allocate.selector.SelectorCache;
import dev.berth.core.allocate.state.LruCache;
import dev.berth.core.allocate.state.NodeDevices;
import dev.berth.core.ledger.Holdings;
import java.util.Optional;

/// LRU cache of search results by request and node fingerprint. In a cluster of equal nodes, most
/// searches repeat one that ran on another node.
///
/// Bounded in the number of entries.
public final class SearchCache {

    private static final int MAX_PROFILES = 1_000;
    private static final int MAX_ENTRIES = 10_000;

    /// One request on one node.
    public record Key(RequestProfile profile, NodeFingerprint fingerprint) {}

    /// The result of a search.
    public record Entry(DeviceSearch.Outcome outcome, long steps) {}

    private final SelectorCache selectorCache;
    private final LruCache<RequestProfile.Text, RequestProfile> profiles =
            new LruCache<>(MAX_PROFILES);
    private final LruCache<Key, Entry> entries = new LruCache<>(MAX_ENTRIES);

    public SearchCache(SelectorCache selectorCache) {
        this.selectorCache = selectorCache;
    }

    /// The key of a search; empty when its result depends on more than a fingerprint covers.
    public Optional<Key> key(RequestProfile.Text text, NodeDevices nodeDevices, Holdings holdings) {
        var profile = profiles.computeIfAbsent(text, it -> RequestProfile.of(it, selectorCache));
        return profile.fingerprint(nodeDevices, holdings)
                .map(fingerprint -> new Key(profile, fingerprint));
    }

    public Optional<Entry> find(Key key) {
        return entries.find(key);
    }

    /// Caches a result. Failures are not cached, because their messages name devices of the node.
    public void put(Key key, Entry entry) {
        if (!(entry.outcome instanceof DeviceSearch.Outcome.Failed)) {
            entries.put(key, entry);
        }
    }
}
