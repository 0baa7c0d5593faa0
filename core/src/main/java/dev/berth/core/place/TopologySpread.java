package dev.berth.core.place;

import dev.berth.model.api.LabelSelector;
import dev.berth.model.api.Node;
import dev.berth.model.api.Pod;
import dev.berth.model.api.TopologySpreadConstraint;
import dev.berth.model.api.UnsatisfiableConstraintAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Whether a pod makes the spread of its like too uneven: counted once for the pod, so that a node
/// costs one look-up a constraint.
final class TopologySpread {

    /// A constraint with what it counts.
    ///
    /// @param perDomain pods by value of the label, also where there are none
    /// @param own one when the pod counts itself
    private record Count(
            TopologySpreadConstraint constraint, Map<String, Long> perDomain, long own) {

        long fewest() {
            var isEnough = perDomain.size() >= constraint.minDomains().orElse(1);
            return isEnough
                    ? perDomain.values().stream().mapToLong(Long::longValue).min().orElse(0)
                    : 0;
        }
    }

    /// @param fewest pods in any place
    private record Rule(Count count, long fewest) {}

    private final List<Rule> rules;

    private TopologySpread(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    static TopologySpread of(Pod pod, PodCounts podCounts, ClusterInventory inventory) {
        var hard = constraints(pod, UnsatisfiableConstraintAction.Known.DO_NOT_SCHEDULE);
        var rules = new ArrayList<Rule>();
        for (var constraint : hard) {
            var count = count(pod, constraint, hard, podCounts, inventory);
            rules.add(new Rule(count, count.fewest()));
        }
        return new TopologySpread(rules);
    }

    static List<TopologySpreadConstraint> constraints(
            Pod pod, UnsatisfiableConstraintAction action) {
        return pod.spec().topologySpreadConstraints().stream()
                .filter(constraint -> constraint.whenUnsatisfiable().equals(action))
                .toList();
    }

    private static Count count(
            Pod pod,
            TopologySpreadConstraint constraint,
            List<TopologySpreadConstraint> all,
            PodCounts podCounts,
            ClusterInventory inventory) {
        var perNode = matching(pod, constraint, podCounts);
        var perDomain = new HashMap<String, Long>();
        for (var node : inventory.nodes()) {
            var value = node.labels().get(constraint.topologyKey());
            if (value != null && hasKeys(node, all) && counts(pod, node, constraint)) {
                perDomain.merge(value, perNode.getOrDefault(node.name(), 0L), Long::sum);
            }
        }
        var own =
                selector(pod, constraint)
                        .filter(one -> LabelSelectorMatcher.matches(one, pod.metadata().labels()));
        return new Count(constraint, perDomain, own.isPresent() ? 1 : 0);
    }

    /// True when a node has the labels of all constraints; others do not count.
    static boolean hasKeys(Node node, List<TopologySpreadConstraint> constraints) {
        return constraints.stream().allMatch(one -> node.labels().containsKey(one.topologyKey()));
    }

    /// True when pods on the node count.
    static boolean counts(Pod pod, Node node, TopologySpreadConstraint constraint) {
        return (!constraint.honorsNodeAffinity() || NodeFilters.matchesNodeAffinity(pod, node))
                && (!constraint.honorsNodeTaints() || NodeFilters.untolerated(pod, node).isEmpty());
    }

    /// How many pods of a node a constraint means. Those that leave do not count.
    static Map<String, Long> matching(
            Pod pod, TopologySpreadConstraint constraint, PodCounts podCounts) {
        var selector = selector(pod, constraint);
        var sums = new HashMap<String, Long>();
        if (selector.isPresent()) {
            podCounts
                    .counts()
                    .forEach((profile, perNode) -> {
                        if (!profile.isDeleting()
                                && profile.namespace().equals(pod.metadata().namespace())
                                && LabelSelectorMatcher.matches(selector.get(), profile.labels())) {
                            perNode.forEach((node, count) -> sums.merge(node, count, Long::sum));
                        }
                    });
        }
        return sums;
    }

    private static Optional<LabelSelector> selector(Pod pod, TopologySpreadConstraint constraint) {
        return LabelSelectorMatcher.withMatchLabelKeys(
                constraint.labelSelector(),
                constraint.matchLabelKeys(),
                List.of(),
                pod.metadata().labels());
    }

    /// True when nobody minds any node.
    boolean rejectsNothing() {
        return rules.isEmpty();
    }

    /// Why the node will not do.
    Optional<Rejection> rejection(Node node) {
        for (var rule : rules) {
            var constraint = rule.count.constraint;
            var value = node.labels().get(constraint.topologyKey());
            if (value == null) {
                return Optional.of(new Rejection.TopologyLabelMissing(constraint.topologyKey()));
            }
            var there = rule.count.perDomain.getOrDefault(value, 0L);
            var count = there + rule.count.own;
            if (count - rule.fewest > constraint.maxSkew()) {
                return Optional.of(
                        new Rejection.TopologySkewExceeded(
                                new TopologyDomain(constraint.topologyKey(), value),
                                count,
                                rule.fewest,
                                constraint.maxSkew()));
            }
        }
        return Optional.empty();
    }
}
