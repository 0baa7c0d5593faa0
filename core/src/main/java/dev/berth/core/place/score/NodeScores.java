package dev.berth.core.place.score;

import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeScopedFit;
import dev.berth.core.snapshot.NodeView;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/// The scores of kube-scheduler with their default weights, for those that depend on modelled
/// state. Kubernetes chooses at random among nodes with equal scores; here the first by name wins.
public final class NodeScores {

    private static final List<NodeScopedScore> NODE_SCOPED =
            List.of(new LeastAllocatedScore(), new BalancedAllocationScore());

    private static final List<NodeScore> COMPARING =
            List.of(
                    new TaintTolerationScore(),
                    new NodeAffinityScore(),
                    new PodTopologySpreadScore(),
                    new InterPodAffinityScore(),
                    new PrioritizedListScore());

    private NodeScores() {}

    /// The fields of the request that the node-scoped scores read.
    public static List<Object> cacheKeys(EvaluationContext context) {
        return NODE_SCOPED.stream().map(score -> score.cacheKey(context)).toList();
    }

    /// The sum of the node-scoped scores.
    public static ToLongFunction<NodeView> nodeScoped(EvaluationContext context) {
        var scores = NODE_SCOPED.stream().map(score -> score.prepare(context)).toList();
        return node -> {
            var sum = 0L;
            for (var score : scores) {
                sum += score.applyAsLong(node);
            }
            return sum;
        };
    }

    /// The candidate with the highest score, the first of several.
    public static Optional<NodeScopedFit.Candidate> highest(
            EvaluationContext context, List<NodeScopedFit.Candidate> candidates) {
        if (candidates.size() < 2) {
            return candidates.stream().findFirst();
        }
        var sums = sums(context, candidates);
        var best = 0;
        for (var i = 1; i < sums.length; i++) {
            if (sums[i] > sums[best]) {
                best = i;
            }
        }
        return Optional.of(candidates.get(best));
    }

    private static long[] sums(
            EvaluationContext context, List<NodeScopedFit.Candidate> candidates) {
        var sums = new long[candidates.size()];
        for (var i = 0; i < sums.length; i++) {
            sums[i] = candidates.get(i).score();
        }
        for (var score : COMPARING) {
            var scores = score.scores(context, candidates);
            if (scores.isPresent()) {
                for (var i = 0; i < sums.length; i++) {
                    sums[i] += score.weight() * scores.get()[i];
                }
            }
        }
        return sums;
    }

    /// Raw scores as shares of the largest one; empty when all are zero.
    static Optional<long[]> normalizedByLargest(long[] raw) {
        var most = 0L;
        for (var score : raw) {
            most = Math.max(most, score);
        }
        if (most == 0) {
            return Optional.empty();
        }
        for (var i = 0; i < raw.length; i++) {
            raw[i] = raw[i] * NodeScore.FULL / most;
        }
        return Optional.of(raw);
    }
}
