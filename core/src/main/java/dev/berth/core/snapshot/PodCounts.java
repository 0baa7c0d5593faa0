package dev.berth.core.snapshot;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.pod.Pod;
import java.util.HashMap;
import java.util.Map;

/// The number of pods per affinity profile and node.
///
/// Affinity and spread rules evaluate each profile once, so that they cost as much as there are
/// workloads, not pods. Immutable: adding or removing a pod changes one count and copies the map of
/// profiles.
public final class PodCounts {

    public static final PodCounts EMPTY = new PodCounts(Map.of());

    private final Map<AffinityProfile, PersistentSortedMap<String, Long>> counts;

    private PodCounts(Map<AffinityProfile, PersistentSortedMap<String, Long>> counts) {
        this.counts = counts;
    }

    public PodCounts with(String node, Pod pod) {
        return changed(node, pod, 1);
    }

    public PodCounts without(String node, Pod pod) {
        return changed(node, pod, -1);
    }

    private PodCounts changed(String node, Pod pod, long change) {
        var profile = AffinityProfile.of(pod);
        var perNode = counts.getOrDefault(profile, PersistentSortedMap.of());
        var count = perNode.find(node).orElse(0L) + change;
        // Zero counts are removed, so that equal states have equal maps.
        var changed = count == 0 ? perNode.without(node) : perNode.with(node, count);
        var all = new HashMap<>(counts);
        if (changed.isEmpty()) {
            all.remove(profile);
        } else {
            all.put(profile, changed);
        }
        return new PodCounts(all);
    }

    /// Counts by profile and node.
    public Map<AffinityProfile, PersistentSortedMap<String, Long>> counts() {
        return counts;
    }
}
