package dev.berth.core.place.score;

import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeScopedFit;
import dev.berth.core.snapshot.NodeView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

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

    /// The scores that depend on the pods of other nodes.
    private static final List<NodeScore> CLUSTER_SCOPED =
            List.of(new PodTopologySpreadScore(), new InterPodAffinityScore());

    private NodeScores() {}

    /// The fields of the request that the node-scoped scores and ranks read.
    public static List<Object> cacheKeys(EvaluationContext context) {
        var keys = new ArrayList<Object>();
        NODE_SCOPED.forEach(score -> keys.add(score.cacheKey(context)));
        keys.add(context.pod().spec().affinity().flatMap(affinity -> affinity.nodeAffinity()));
        return keys;
    }

    /// True when the pod or other pods prefer some nodes for the pods that run near them.
    public static boolean hasPodPreferences(EvaluationContext context) {
        return CLUSTER_SCOPED.stream()
                .anyMatch(score -> score.scores(context, List.of()).isPresent());
    }

    /// The candidates that preferred pod affinity and spread constraints with ScheduleAnyway favour
    /// most, in the same order.
    public static List<NodeScopedFit.Candidate> preferredByPods(
            EvaluationContext context, List<NodeScopedFit.Candidate> candidates) {
        var sums = new long[candidates.size()];
        add(CLUSTER_SCOPED, context, candidates, sums);
        var most = Arrays.stream(sums).max().orElse(0);
        return IntStream.range(0, sums.length)
                .filter(i -> sums[i] == most)
                .mapToObj(candidates::get)
                .toList();
    }

    private static void add(
            List<NodeScore> all,
            EvaluationContext context,
            List<NodeScopedFit.Candidate> candidates,
            long[] sums) {
        for (var score : all) {
            var scores = score.scores(context, candidates);
            if (scores.isPresent()) {
                for (var i = 0; i < sums.length; i++) {
                    sums[i] += score.weight() * scores.get()[i];
                }
            }
        }
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
        add(COMPARING, context, candidates, sums);
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
