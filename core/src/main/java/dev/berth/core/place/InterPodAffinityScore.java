package dev.berth.core.place;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.Node;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// How much a pod and those near it like to be near each other; below zero when they had rather
/// not.
final class InterPodAffinityScore {

    /// What a pod's requirement is worth to those that it requires, as Kubernetes has it.
    private static final long REQUIRED_WEIGHT = 1;

    private final AffinityProfile pod;
    private final ClusterInventory fleet;
    private final NamespaceLabels namespaces;
    private final Map<TopologyDomain, Long> sums = new HashMap<>();
    private final Set<String> keys = new HashSet<>();

    InterPodAffinityScore(
            AffinityProfile pod,
            PodCounts crowd,
            ClusterInventory fleet,
            NamespaceLabels namespaces) {
        this.pod = pod;
        this.fleet = fleet;
        this.namespaces = namespaces;
        crowd.counts().forEach(this::count);
    }

    private void count(AffinityProfile other, PersistentSortedMap<String, Long> perNode) {
        pod.near().preferred().forEach(wish -> add(wish, 1, other, perNode));
        pod.apart().preferred().forEach(wish -> add(wish, -1, other, perNode));
        other.near().preferred().forEach(wish -> add(wish, 1, pod, perNode));
        other.apart().preferred().forEach(wish -> add(wish, -1, pod, perNode));
        other.near()
                .required()
                .forEach(term ->
                        add(new AffinityProfile.Wish(REQUIRED_WEIGHT, term), 1, pod, perNode));
    }

    private void add(
            AffinityProfile.Wish wish,
            long sign,
            AffinityProfile of,
            PersistentSortedMap<String, Long> perNode) {
        if (!wish.term().means(of, namespaces)) {
            return;
        }
        var key = wish.term().topologyKey();
        keys.add(key);
        perNode.forEach((name, count) ->
                fleet.node(name)
                        .flatMap(node -> InterPodAffinity.domain(key, node))
                        .ifPresent(domain ->
                                sums.merge(domain, sign * wish.weight() * count, Long::sum)));
    }

    /// True when nobody has anything to say about any node.
    boolean isNone() {
        return keys.isEmpty();
    }

    long liking(Node node) {
        var sum = 0L;
        for (var key : keys) {
            sum += InterPodAffinity.domain(key, node).map(sums::get).orElse(0L);
        }
        return sum;
    }
}
