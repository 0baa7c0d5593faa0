package dev.berth.core.place;

import dev.berth.model.api.Node;
import dev.berth.model.api.Pod;
import dev.berth.model.api.TopologySpreadConstraint;
import dev.berth.model.api.UnsatisfiableConstraintAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/// Score PodTopologySpread for constraints with ScheduleAnyway: matching pods in the domains of a
/// node. Less is better.
final class TopologySpreadScore {

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

    private final List<TopologySpreadConstraint> constraints;
    private final List<Rule> rules = new ArrayList<>();

    /// @param candidates the fitting nodes
    TopologySpreadScore(
            Pod pod, PodCounts podCounts, ClusterInventory inventory, List<Node> candidates) {
        this.constraints =
                TopologySpread.constraints(
                        pod, UnsatisfiableConstraintAction.Known.SCHEDULE_ANYWAY);
        for (var constraint : constraints) {
            var domains = new HashSet<String>();
            for (var node : candidates) {
                if (TopologySpread.hasKeys(node, constraints)) {
                    domains.add(label(node, constraint));
                }
            }
            rules.add(
                    new Rule(
                            constraint,
                            perDomain(pod, constraint, podCounts, inventory, domains),
                            Math.log(domains.size() + 2)));
        }
    }

    private static String label(Node node, TopologySpreadConstraint constraint) {
        var key = constraint.topologyKey();
        // The hostname key identifies the node itself, regardless of the label's value.
        return key.equals(HOSTNAME) ? node.name() : node.labels().getOrDefault(key, "");
    }

    private Map<String, Long> perDomain(
            Pod pod,
            TopologySpreadConstraint constraint,
            PodCounts podCounts,
            ClusterInventory inventory,
            Set<String> domains) {
        var perDomain = new HashMap<String, Long>();
        TopologySpread.matching(pod, constraint, podCounts)
                .forEach((name, count) ->
                        inventory
                                .node(name)
                                .filter(node -> TopologySpread.hasKeys(node, constraints))
                                .filter(node -> TopologySpread.counts(pod, node, constraint))
                                .filter(node -> domains.contains(label(node, constraint)))
                                .ifPresent(node ->
                                        perDomain.merge(
                                                label(node, constraint), count, Long::sum)));
        return perDomain;
    }

    boolean isNone() {
        return rules.isEmpty();
    }

    /// The raw score; empty for a node without the labels, which ranks last.
    OptionalLong rawScore(Node node) {
        if (!TopologySpread.hasKeys(node, constraints)) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(
                Math.round(rules.stream().mapToDouble(rule -> rule.rawScore(node)).sum()));
    }
}
