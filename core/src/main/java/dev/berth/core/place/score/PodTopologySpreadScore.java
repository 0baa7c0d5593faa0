package dev.berth.core.place.score;

import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeScopedFit;
import dev.berth.core.place.filter.PodTopologySpreadFilter;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.TopologySpreadConstraint;
import dev.berth.model.api.pod.UnsatisfiableConstraintAction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// PodTopologySpread for constraints with ScheduleAnyway: few matching pods in the domains of the
/// node.
final class PodTopologySpreadScore implements NodeScore {

    private static final String HOSTNAME = "kubernetes.io/hostname";

    /// @param weight grows with the number of domains; otherwise zones would always count less than
    ///   nodes
    private record Rule(
            TopologySpreadConstraint constraint, Map<String, Long> perDomain, double weight) {

        double rawScore(Node node) {
            var there = perDomain.getOrDefault(label(node, constraint), 0L);
            return there * weight + (constraint.maxSkew() - 1);
        }
    }

    @Override
    public long weight() {
        return 2;
    }

    @Override
    public Optional<long[]> scores(
            EvaluationContext context, List<NodeScopedFit.Candidate> candidates) {
        var constraints =
                PodTopologySpreadFilter.constraints(
                        context.pod(), UnsatisfiableConstraintAction.Known.SCHEDULE_ANYWAY);
        if (constraints.isEmpty()) {
            return Optional.empty();
        }
        var nodes = candidates.stream().map(NodeScopedFit::node).toList();
        var rules =
                constraints.stream()
                        .map(constraint -> rule(context, constraint, constraints, nodes))
                        .toList();
        var raw = nodes.stream().map(node -> rawScore(node, constraints, rules)).toList();
        return Optional.of(normalized(raw));
    }

    /// Fewer pods score higher. A node without the labels scores zero.
    private static long[] normalized(List<OptionalLong> raw) {
        var all = raw.stream().flatMapToLong(OptionalLong::stream).summaryStatistics();
        var scores = new long[raw.size()];
        for (var i = 0; i < scores.length; i++) {
            if (raw.get(i).isPresent()) {
                var lead = all.getMax() + all.getMin() - raw.get(i).getAsLong();
                scores[i] = all.getMax() == 0 ? FULL : lead * FULL / all.getMax();
            }
        }
        return scores;
    }

    /// @param candidates the fitting nodes
    private static Rule rule(
            EvaluationContext context,
            TopologySpreadConstraint constraint,
            List<TopologySpreadConstraint> constraints,
            List<Node> candidates) {
        var domains = new HashSet<String>();
        for (var node : candidates) {
            if (PodTopologySpreadFilter.hasKeys(node, constraints)) {
                domains.add(label(node, constraint));
            }
        }
        return new Rule(
                constraint,
                perDomain(context, constraint, constraints, domains),
                Math.log(domains.size() + 2));
    }

    private static String label(Node node, TopologySpreadConstraint constraint) {
        var key = constraint.topologyKey();
        // The hostname key identifies the node itself, regardless of the label's value.
        return key.equals(HOSTNAME) ? node.name() : node.labels().getOrDefault(key, "");
    }

    private static Map<String, Long> perDomain(
            EvaluationContext context,
            TopologySpreadConstraint constraint,
            List<TopologySpreadConstraint> constraints,
            Set<String> domains) {
        var pod = context.pod();
        var snapshot = context.snapshot();
        var perDomain = new HashMap<String, Long>();
        PodTopologySpreadFilter.matching(pod, constraint, snapshot.usage().podCounts())
                .forEach((name, count) ->
                        snapshot.inventory()
                                .node(name)
                                .filter(node -> PodTopologySpreadFilter.hasKeys(node, constraints))
                                .filter(node ->
                                        PodTopologySpreadFilter.counts(pod, node, constraint))
                                .filter(node -> domains.contains(label(node, constraint)))
                                .ifPresent(node ->
                                        perDomain.merge(
                                                label(node, constraint), count, Long::sum)));
        return perDomain;
    }

    /// The raw score; empty for a node without the labels, which ranks last.
    private static OptionalLong rawScore(
            Node node, List<TopologySpreadConstraint> constraints, List<Rule> rules) {
        return PodTopologySpreadFilter.hasKeys(node, constraints)
                ? OptionalLong.of(
                        Math.round(rules.stream().mapToDouble(rule -> rule.rawScore(node)).sum()))
                : OptionalLong.empty();
    }
}
