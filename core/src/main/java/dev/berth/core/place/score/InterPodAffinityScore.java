package dev.berth.core.place.score;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeScopedFit;
import dev.berth.core.snapshot.AffinityProfile;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.NamespaceLabels;
import dev.berth.core.snapshot.TopologyDomain;
import dev.berth.model.api.node.Node;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// InterPodAffinity: preferred affinity and anti-affinity of the pod and of existing pods.
final class InterPodAffinityScore implements NodeScore {

    /// Weight of required affinity terms of existing pods (`hardPodAffinityWeight` in Kubernetes).
    private static final long REQUIRED_WEIGHT = 1;

    @Override
    public long weight() {
        return 2;
    }

    @Override
    public Optional<long[]> scores(
            EvaluationContext context, List<NodeScopedFit.Candidate> candidates) {
        var weights = new DomainWeights(context);
        if (weights.keys.isEmpty()) {
            return Optional.empty();
        }
        var raw = candidates.stream().mapToLong(one -> weights.rawScore(one.node())).toArray();
        var all = Arrays.stream(raw).summaryStatistics();
        var range = all.getMax() - all.getMin();
        if (range == 0) {
            return Optional.empty();
        }
        for (var i = 0; i < raw.length; i++) {
            raw[i] = (raw[i] - all.getMin()) * FULL / range;
        }
        return Optional.of(raw);
    }

    /// Summed weights of matching terms by topology domain; negative when anti-affinity outweighs
    /// affinity.
    private static final class DomainWeights {

        private final AffinityProfile pod;
        private final ClusterInventory inventory;
        private final NamespaceLabels namespaces;
        private final Map<TopologyDomain, Long> sums = new HashMap<>();
        private final Set<String> keys = new HashSet<>();

        DomainWeights(EvaluationContext context) {
            var snapshot = context.snapshot();
            this.pod = AffinityProfile.of(context.pod());
            this.inventory = snapshot.inventory();
            this.namespaces = snapshot.context().namespaces();
            snapshot.usage().podCounts().counts().forEach(this::count);
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
                            .flatMap(node -> TopologyDomain.of(key, node))
                            .ifPresent(domain ->
                                    sums.merge(
                                            domain, sign * weighted.weight() * count, Long::sum)));
        }

        long rawScore(Node node) {
            var sum = 0L;
            for (var key : keys) {
                sum += TopologyDomain.of(key, node).map(sums::get).orElse(0L);
            }
            return sum;
        }
    }
}
