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

/// Filter PodTopologySpread. Matching pods are counted per domain once per pod, so that a node
/// costs one look-up per constraint.
final class TopologySpread {

    /// A constraint and its counts.
    ///
    /// @param perDomain matching pods by label value, including zero
    /// @param own one when the pod itself matches, otherwise zero
    private record Count(
            TopologySpreadConstraint constraint, Map<String, Long> perDomain, long own) {

        long fewest() {
            var isEnough = perDomain.size() >= constraint.minDomains().orElse(1);
            return isEnough
                    ? perDomain.values().stream().mapToLong(Long::longValue).min().orElse(0)
                    : 0;
        }
    }

    /// @param fewest the global minimum
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

    /// True when a node has the labels of all constraints; other nodes are ignored.
    static boolean hasKeys(Node node, List<TopologySpreadConstraint> constraints) {
        return constraints.stream().allMatch(one -> node.labels().containsKey(one.topologyKey()));
    }

    /// True when the inclusion policies of the constraint count the node.
    static boolean counts(Pod pod, Node node, TopologySpreadConstraint constraint) {
        return (!constraint.honorsNodeAffinity() || NodeFilters.matchesNodeAffinity(pod, node))
                && (!constraint.honorsNodeTaints() || NodeFilters.untolerated(pod, node).isEmpty());
    }

    /// Matching pods per node. Pods that are being deleted do not count.
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

    /// True when the pod has no constraints with DoNotSchedule.
    boolean rejectsNothing() {
        return rules.isEmpty();
    }

    /// The first reason to reject the node.
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
