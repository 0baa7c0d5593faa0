package dev.berth.core.place;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.Pod;
import java.util.HashMap;
import java.util.Map;

/// How many pods of each look are on each node.
///
/// Rules between pods ask for the same few looks again and again: with one count a look and node
/// they cost as much as there are deployments, not as there are pods; and a pod that comes or goes
/// changes one number. A crowd never changes; with a pod more it is another.
final class PodCounts {

    static final PodCounts EMPTY = new PodCounts(Map.of());

    private final Map<AffinityProfile, PersistentSortedMap<String, Long>> counts;

    private PodCounts(Map<AffinityProfile, PersistentSortedMap<String, Long>> counts) {
        this.counts = counts;
    }

    PodCounts with(String node, Pod pod) {
        return changed(node, pod, 1);
    }

    PodCounts without(String node, Pod pod) {
        return changed(node, pod, -1);
    }

    private PodCounts changed(String node, Pod pod, long change) {
        var profile = AffinityProfile.of(pod);
        var perNode = counts.getOrDefault(profile, PersistentSortedMap.of());
        var count = perNode.find(node).orElse(0L) + change;
        // Zero counts are dropped, so that equal crowds have equal counts.
        var changed = count == 0 ? perNode.without(node) : perNode.with(node, count);
        var all = new HashMap<>(counts);
        if (changed.isEmpty()) {
            all.remove(profile);
        } else {
            all.put(profile, changed);
        }
        return new PodCounts(all);
    }

    /// By look, how many are on which node.
    Map<AffinityProfile, PersistentSortedMap<String, Long>> counts() {
        return counts;
    }
}
