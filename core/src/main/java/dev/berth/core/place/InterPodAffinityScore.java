package dev.berth.core.place;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.Node;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Score InterPodAffinity: preferred affinity and anti-affinity of the pod and of existing pods;
/// negative when anti-affinity outweighs affinity.
final class InterPodAffinityScore {

    /// Weight of required affinity terms of existing pods (`hardPodAffinityWeight` in Kubernetes).
    private static final long REQUIRED_WEIGHT = 1;

    private final AffinityProfile pod;
    private final ClusterInventory inventory;
    private final NamespaceLabels namespaces;
    private final Map<TopologyDomain, Long> sums = new HashMap<>();
    private final Set<String> keys = new HashSet<>();

    InterPodAffinityScore(
            AffinityProfile pod,
            PodCounts podCounts,
            ClusterInventory inventory,
            NamespaceLabels namespaces) {
        this.pod = pod;
        this.inventory = inventory;
        this.namespaces = namespaces;
        podCounts.counts().forEach(this::count);
    }

    private void count(AffinityProfile other, PersistentSortedMap<String, Long> perNode) {
        pod.affinity().preferred().forEach(weighted -> add(weighted, 1, other, perNode));
        pod.antiAffinity().preferred().forEach(weighted -> add(weighted, -1, other, perNode));
        other.affinity().preferred().forEach(weighted -> add(weighted, 1, pod, perNode));
        other.antiAffinity().preferred().forEach(weighted -> add(weighted, -1, pod, perNode));
        other.affinity()
                .required()
                .forEach(term ->
                        add(
                                new AffinityProfile.WeightedTerm(REQUIRED_WEIGHT, term),
                                1,
                                pod,
                                perNode));
    }

    private void add(
            AffinityProfile.WeightedTerm weighted,
            long sign,
            AffinityProfile of,
            PersistentSortedMap<String, Long> perNode) {
        if (!weighted.term().matches(of, namespaces)) {
            return;
        }
        var key = weighted.term().topologyKey();
        keys.add(key);
        perNode.forEach((name, count) ->
                inventory
                        .node(name)
                        .flatMap(node -> InterPodAffinity.domain(key, node))
                        .ifPresent(domain ->
                                sums.merge(domain, sign * weighted.weight() * count, Long::sum)));
    }

    /// True when no preferred term matches, so that all nodes score zero.
    boolean isNone() {
        return keys.isEmpty();
    }

    long rawScore(Node node) {
        var sum = 0L;
        for (var key : keys) {
            sum += InterPodAffinity.domain(key, node).map(sums::get).orElse(0L);
        }
        return sum;
    }
}
