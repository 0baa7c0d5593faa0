package dev.berth.core.place.filter;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeFilter;
import dev.berth.core.place.Rejection;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.PodCounts;
import dev.berth.core.snapshot.TopologyDomain;
import dev.berth.core.taint.NodeTaints;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.TopologySpreadConstraint;
import dev.berth.model.api.pod.UnsatisfiableConstraintAction;
import dev.berth.model.api.selector.LabelSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// PodTopologySpread: the pod exceeds the maximum skew of no constraint with DoNotSchedule.
/// Matching pods are counted per domain once per pod, so that a node costs one look-up per
/// constraint.
public final class PodTopologySpreadFilter implements NodeFilter {

    private static final String TEXT = "node(s) didn't match pod topology spread constraints";

    private static final Set<ClusterEvent> REQUEUE_ON = ClusterEvent.POD_EVENTS;

    /// The pod would exceed the maximum skew of a domain.
    ///
    /// @param pods matching pods in the domain, including the pod if it matches
    /// @param fewest the global minimum; zero when there are fewer domains than `minDomains`
    /// @param maxSkew the permitted difference
    public record TopologySkewExceeded(TopologyDomain domain, long pods, long fewest, long maxSkew)
            implements Rejection {
        @Override
        public String text() {
            return TEXT;
        }

        @Override
        public String description() {
            return "topology spread: %s would have %s, the maximum is %d (minimum %d, maxSkew %d)"
                    .formatted(
                            domain,
                            pods == 1 ? "1 pod" : pods + " pods",
                            fewest + maxSkew,
                            fewest,
                            maxSkew);
        }

        @Override
        public String rule() {
            return "topology spread over " + domain.key();
        }

        @Override
        public Optional<String> remedy() {
            return Optional.of(
                    "raise maxSkew over %s to %d".formatted(domain.key(), pods - fewest));
        }

        @Override
        public Optional<String> resolvingEvent() {
            return Optional.of("pods are spread more evenly over " + domain.key());
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return REQUEUE_ON;
        }
    }

    /// The node lacks the topology label.
    public record TopologyLabelMissing(String topologyKey) implements Rejection {
        @Override
        public String text() {
            return TEXT + " (missing required label)";
        }

        @Override
        public String description() {
            return "topology spread: the node has no label %s".formatted(topologyKey);
        }

        @Override
        public String rule() {
            return "no label %s for topology spread".formatted(topologyKey);
        }

        @Override
        public Optional<String> remedy() {
            return Optional.of("add label " + topologyKey);
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return REQUEUE_ON;
        }
    }

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

    PodTopologySpreadFilter() {}

    @Override
    public String name() {
        return "PodTopologySpread";
    }

    @Override
    public Scope scope() {
        return Scope.CLUSTER;
    }

    @Override
    public Object cacheKey(EvaluationContext context) {
        var pod = context.pod();
        return List.of(
                pod.spec().topologySpreadConstraints(),
                pod.metadata().namespace(),
                pod.metadata().labels(),
                pod.spec().nodeSelector(),
                pod.spec().affinity(),
                pod.spec().tolerations());
    }

    @Override
    public Optional<Check> prepare(EvaluationContext context) {
        var pod = context.pod();
        var hard = constraints(pod, UnsatisfiableConstraintAction.Known.DO_NOT_SCHEDULE);
        if (hard.isEmpty()) {
            return Optional.empty();
        }
        var rules = new ArrayList<Rule>();
        for (var constraint : hard) {
            var count = count(pod, constraint, hard, context.snapshot());
            rules.add(new Rule(count, count.fewest()));
        }
        return Optional.of(
                (node, rejections) -> rejection(rules, node.node()).ifPresent(rejections::add));
    }

    /// The constraints of the pod with one action.
    public static List<TopologySpreadConstraint> constraints(
            Pod pod, UnsatisfiableConstraintAction action) {
        return pod.spec().topologySpreadConstraints().stream()
                .filter(constraint -> constraint.whenUnsatisfiable().equals(action))
                .toList();
    }

    private static Count count(
            Pod pod,
            TopologySpreadConstraint constraint,
            List<TopologySpreadConstraint> all,
            ClusterSnapshot snapshot) {
        var perNode = matching(pod, constraint, snapshot.usage().podCounts());
        var perDomain = new HashMap<String, Long>();
        for (var node : snapshot.inventory().nodes()) {
            var value = node.labels().get(constraint.topologyKey());
            if (value != null && hasKeys(node, all) && counts(pod, node, constraint)) {
                perDomain.merge(value, perNode.getOrDefault(node.name(), 0L), Long::sum);
            }
        }
        var own = selector(pod, constraint).filter(one -> one.matches(pod.metadata().labels()));
        return new Count(constraint, perDomain, own.isPresent() ? 1 : 0);
    }

    /// True when a node has the labels of all constraints; other nodes are ignored.
    public static boolean hasKeys(Node node, List<TopologySpreadConstraint> constraints) {
        return constraints.stream().allMatch(one -> node.labels().containsKey(one.topologyKey()));
    }

    /// True when the inclusion policies of the constraint count the node.
    public static boolean counts(Pod pod, Node node, TopologySpreadConstraint constraint) {
        return (!constraint.honorsNodeAffinity() || NodeAffinityFilter.matches(pod, node))
                && (!constraint.honorsNodeTaints()
                        || NodeTaints.untolerated(pod.spec().tolerations(), node).isEmpty());
    }

    /// Matching pods per node. Pods that are being deleted do not count.
    public static Map<String, Long> matching(
            Pod pod, TopologySpreadConstraint constraint, PodCounts podCounts) {
        var selector = selector(pod, constraint);
        var sums = new HashMap<String, Long>();
        if (selector.isPresent()) {
            podCounts
                    .counts()
                    .forEach((profile, perNode) -> {
                        if (!profile.isDeleting()
                                && profile.namespace().equals(pod.metadata().namespace())
                                && selector.get().matches(profile.labels())) {
                            perNode.forEach((node, count) -> sums.merge(node, count, Long::sum));
                        }
                    });
        }
        return sums;
    }

    private static Optional<LabelSelector> selector(Pod pod, TopologySpreadConstraint constraint) {
        return constraint
                .labelSelector()
                .map(one ->
                        one.withLabelKeys(
                                constraint.matchLabelKeys(), List.of(), pod.metadata().labels()));
    }

    /// The first reason to reject the node.
    private static Optional<Rejection> rejection(List<Rule> rules, Node node) {
        for (var rule : rules) {
            var constraint = rule.count.constraint;
            var value = node.labels().get(constraint.topologyKey());
            if (value == null) {
                return Optional.of(new TopologyLabelMissing(constraint.topologyKey()));
            }
            var there = rule.count.perDomain.getOrDefault(value, 0L);
            var count = there + rule.count.own;
            if (count - rule.fewest > constraint.maxSkew()) {
                return Optional.of(
                        new TopologySkewExceeded(
                                new TopologyDomain(constraint.topologyKey(), value),
                                count,
                                rule.fewest,
                                constraint.maxSkew()));
            }
        }
        return Optional.empty();
    }
}
