package dev.berth.core.place.score;

import dev.berth.core.inventory.NodeSelectorMatcher;
import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeScopedFit;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.selector.NodeSelector;
import java.util.List;
import java.util.Optional;

/// NodeAffinity: the summed weights of the preferred terms that the node matches.
final class NodeAffinityScore implements NodeScore {

    @Override
    public long weight() {
        return 2;
    }

    @Override
    public Optional<long[]> scores(
            EvaluationContext context, List<NodeScopedFit.Candidate> candidates) {
        var pod = context.pod();
        if (pod.spec().affinity().isEmpty()) {
            return Optional.empty();
        }
        return NodeScores.normalizedByLargest(
                candidates.stream().mapToLong(one -> matched(pod, one.node())).toArray());
    }

    static long matched(Pod pod, Node node) {
        return pod.spec().affinity().stream()
                .flatMap(affinity -> affinity.nodeAffinity().stream())
                .flatMap(affinity -> affinity.preferred().stream())
                .filter(preferred ->
                        NodeSelectorMatcher.matches(
                                new NodeSelector(List.of(preferred.term())), node))
                .mapToLong(preferred -> preferred.weight())
                .sum();
    }
}
