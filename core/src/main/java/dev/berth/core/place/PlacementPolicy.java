package dev.berth.core.place;

import dev.berth.core.allocate.DeviceOrder;
import dev.berth.core.place.score.DeviceLocalityRank;
import dev.berth.core.place.score.FreeDevicesRank;
import dev.berth.core.place.score.NodePreferenceRank;
import dev.berth.core.place.score.NodeRank;
import dev.berth.core.place.score.PrioritizedListRank;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.api.claim.AllocationResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// The order of nodes for a pod, and the order of devices on a node: a sequence of rules, the most
/// important first. Whether a pod fits is the same for all policies.
///
/// What the pod and administrators prefer comes before the rules, except for [Rule#KUBERNETES],
/// where it is one of the scores: preferred pod affinity and spread constraints, taints with effect
/// PreferNoSchedule, preferred node affinity, and the position in prioritized lists.
///
/// @param rules different rules; [Rule#KUBERNETES] can only be the last
public record PlacementPolicy(List<Rule> rules) {

    /// One criterion for nodes and devices.
    public enum Rule {
        /// The scores of kube-scheduler, which prefer the emptiest node, and the first devices.
        KUBERNETES,
        /// The node and the devices that leave the most that other pods can use.
        PACK,
        /// Devices in the fewest NUMA nodes and PCIe roots, with the least spare capacity in these.
        /// Followed by [#PACK], also where devices publish no location.
        ALIGNED,
        /// The node with the most free devices, for pods with devices. Followed by [#KUBERNETES].
        SPREAD
    }

    public static final PlacementPolicy KUBERNETES = of(Rule.KUBERNETES);
    public static final PlacementPolicy PACK = of(Rule.PACK);
    public static final PlacementPolicy ALIGNED = of(Rule.ALIGNED);
    public static final PlacementPolicy SPREAD = of(Rule.SPREAD);

    private static final List<NodeRank> PREFERENCES =
            List.of(new NodePreferenceRank(), new PrioritizedListRank());
    private static final Optional<NodeRank> LOCALITY = Optional.of(new DeviceLocalityRank());
    private static final Optional<NodeRank> FREE_DEVICES = Optional.of(new FreeDevicesRank());

    public PlacementPolicy {
        rules = List.copyOf(rules);
        if (rules.isEmpty() || EnumSet.copyOf(rules).size() != rules.size()) {
            throw new IllegalArgumentException(
                    "\"%s\": give each policy once".formatted(text(rules)));
        }
        if (rules.indexOf(Rule.KUBERNETES) < rules.size() - 1 && rules.contains(Rule.KUBERNETES)) {
            throw new IllegalArgumentException(
                    "\"%s\": kubernetes can only be the last policy".formatted(text(rules)));
        }
    }

    private static PlacementPolicy of(Rule rule) {
        return new PlacementPolicy(List.of(rule));
    }

    /// The four policies of one rule.
    public static List<PlacementPolicy> all() {
        return List.of(KUBERNETES, PACK, ALIGNED, SPREAD);
    }

    /// A policy from its text, for example `pack` or `aligned,pack`.
    public static PlacementPolicy parse(String text) {
        var rules = new ArrayList<Rule>();
        for (var name : text.split(",", -1)) {
            rules.add(rule(name.strip()));
        }
        return new PlacementPolicy(rules);
    }

    private static Rule rule(String name) {
        for (var rule : Rule.values()) {
            if (text(rule).equals(name)) {
                return rule;
            }
        }
        throw new IllegalArgumentException(
                "\"%s\" is not one of %s; separate several by commas"
                        .formatted(
                                name,
                                Arrays.stream(Rule.values())
                                        .map(PlacementPolicy::text)
                                        .collect(Collectors.joining(", "))));
    }

    /// The order of devices while nodes are evaluated.
    DeviceOrder evaluationOrder() {
        return alignsDevices() ? DeviceOrder.ALIGNED : DeviceOrder.FIRST;
    }

    /// True when all fitting nodes are ranked by costs; otherwise the scores of kube-scheduler
    /// decide about a sample.
    public boolean ranksNodes() {
        return rules.getFirst() != Rule.KUBERNETES;
    }

    /// True when nodes are ranked by their packing costs.
    boolean packs() {
        return rules.contains(Rule.PACK) || rules.getLast() == Rule.ALIGNED;
    }

    /// True when devices are chosen by their location, where they publish one.
    boolean alignsDevices() {
        return rules.contains(Rule.ALIGNED);
    }

    /// True when the scores of kube-scheduler decide among nodes with equal costs; otherwise the
    /// first by name wins.
    boolean scoresEqualNodes() {
        return !packs();
    }

    /// The number of [#ranks] that are more important than packing costs.
    int ranksBeforePacking() {
        var count = PREFERENCES.size();
        for (var rule : rules) {
            if (rule == Rule.PACK) {
                return count;
            }
            count += rank(rule).isPresent() ? 1 : 0;
        }
        return count;
    }

    /// The costs of a node apart from packing costs, the most important first.
    List<Long> ranks(
            EvaluationContext context,
            NodeView node,
            List<AllocationResult> results,
            boolean needsDevices) {
        var costs = new ArrayList<Long>();
        for (var rank : PREFERENCES) {
            var applies = needsDevices || rank instanceof NodePreferenceRank;
            costs.add(applies ? rank.cost(context, node, results) : 0);
        }
        for (var rule : rules) {
            rank(rule)
                    .ifPresent(rank ->
                            costs.add(needsDevices ? rank.cost(context, node, results) : 0));
        }
        return costs;
    }

    /// The rank of a rule; empty for packing costs and for scores.
    private static Optional<NodeRank> rank(Rule rule) {
        return switch (rule) {
            case ALIGNED -> LOCALITY;
            case SPREAD -> FREE_DEVICES;
            case KUBERNETES, PACK -> Optional.empty();
        };
    }

    private static String text(Rule rule) {
        return rule.name().toLowerCase(Locale.ROOT);
    }

    private static String text(List<Rule> rules) {
        return rules.stream().map(PlacementPolicy::text).collect(Collectors.joining(","));
    }

    /// The value of the command-line option.
    @Override
    public String toString() {
        return text(rules);
    }
}
