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

    /// The last request and its profile. The nodes are searched for one pod after the other, and
    /// comparing claims with dozens of requests costs more than the rest of the key.
    private volatile Optional<ProfiledInput> last = Optional.empty();

    private record ProfiledInput(RequestProfile.Input input, RequestProfile profile) {}

    public SearchCache(SelectorCache selectorCache) {
        this.selectorCache = selectorCache;
    }

    /// The key of a search; empty when its result depends on more than a fingerprint covers.
    public Optional<Key> key(
            RequestProfile.Input input, NodeDevices nodeDevices, Holdings holdings) {
        var profile = profile(input);
        return profile.fingerprint(nodeDevices, holdings)
                .map(fingerprint -> new Key(profile, fingerprint));
    }

    private RequestProfile profile(RequestProfile.Input input) {
        var known = last;
        if (known.isPresent() && known.get().input.isSame(input)) {
            return known.get().profile;
        }
        var profile =
                profiles.computeIfAbsent(
                        RequestProfile.Text.of(input),
                        text -> RequestProfile.of(text, selectorCache));
        last = Optional.of(new ProfiledInput(input, profile));
        return profile;
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
