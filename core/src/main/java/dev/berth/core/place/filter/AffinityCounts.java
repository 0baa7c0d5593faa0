package dev.berth.core.place.filter;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.core.place.Rejection;
import dev.berth.core.place.RejectionCollector;
import dev.berth.core.snapshot.AffinityProfile;
import dev.berth.core.snapshot.AffinityTerm;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.NamespaceLabels;
import dev.berth.core.snapshot.NodeView;
import dev.berth.core.snapshot.PodCounts;
import dev.berth.core.snapshot.TopologyDomain;
import dev.berth.model.api.node.Node;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Pods that match the required affinity terms of one pod, counted per topology domain once per
/// pod, so that a node costs one look-up per term.
final class AffinityCounts {

    private final AffinityProfile pod;
    private final NamespaceLabels namespaces;
    private final ClusterInventory inventory;

    /// Pods that match all affinity terms, by domain.
    private final Map<TopologyDomain, Long> affinityCounts = new HashMap<>();

    /// Pods that match the pod's anti-affinity, by domain; one map per term.
    private final List<Map<TopologyDomain, Long>> antiAffinityCounts;

    /// Existing pods whose anti-affinity matches the pod, by domain.
    private final Map<TopologyDomain, Long> existingAntiAffinityCounts = new HashMap<>();

    /// The topology keys of these terms: few, regardless of the number of domains.
    private final Set<String> existingAntiAffinityKeys = new TreeSet<>();

    private AffinityCounts(
            AffinityProfile pod, ClusterInventory inventory, NamespaceLabels namespaces) {
        this.pod = pod;
        this.inventory = inventory;
        this.namespaces = namespaces;
        this.antiAffinityCounts =
                pod.antiAffinity().required().stream()
                        .<Map<TopologyDomain, Long>>map(_ -> new HashMap<>())
                        .toList();
    }

    static AffinityCounts of(
            AffinityProfile pod,
            PodCounts podCounts,
            ClusterInventory inventory,
            NamespaceLabels namespaces) {
        var result = new AffinityCounts(pod, inventory, namespaces);
        podCounts.counts().forEach(result::count);
        return result;
    }

    private void count(AffinityProfile other, PersistentSortedMap<String, Long> perNode) {
        var affinity = pod.affinity().required();
        if (!affinity.isEmpty() && matchesAll(affinity, other)) {
            affinity.forEach(term -> add(affinityCounts, term.topologyKey(), perNode));
        }
        var antiAffinity = pod.antiAffinity().required();
        for (var i = 0; i < antiAffinity.size(); i++) {
            if (antiAffinity.get(i).matches(other, namespaces)) {
                add(antiAffinityCounts.get(i), antiAffinity.get(i).topologyKey(), perNode);
            }
        }
        // A pod with several matching terms of one topology key counts once.
        var keys = new HashSet<String>();
        for (var term : other.antiAffinity().required()) {
            if (term.matches(pod, namespaces) && keys.add(term.topologyKey())) {
                add(existingAntiAffinityCounts, term.topologyKey(), perNode);
            }
        }
        existingAntiAffinityKeys.addAll(keys);
    }

    private boolean matchesAll(List<AffinityTerm> terms, AffinityProfile other) {
        return terms.stream().allMatch(term -> term.matches(other, namespaces));
    }

    private void add(
            Map<TopologyDomain, Long> sums, String key, PersistentSortedMap<String, Long> perNode) {
        perNode.forEach((name, count) ->
                inventory
                        .node(name)
                        .flatMap(node -> TopologyDomain.of(key, node))
                        .ifPresent(domain -> sums.merge(domain, count, Long::sum)));
    }

    /// True when there are no terms to check, so that every node passes.
    boolean rejectsNothing() {
        return pod.affinity().required().isEmpty()
                && pod.antiAffinity().required().isEmpty()
                && existingAntiAffinityKeys.isEmpty();
    }

    /// Adds the reasons to reject the node.
    void evaluate(NodeView view, RejectionCollector rejections) {
        var node = view.node();
        affinityRejection(node).ifPresent(rejections::add);
        if (!rejections.isComplete()) {
            antiAffinityRejection(node).ifPresent(rejections::add);
        }
        if (!rejections.isComplete()) {
            existingAntiAffinityRejection(node).ifPresent(rejections::add);
        }
    }

    private Optional<Rejection> affinityRejection(Node node) {
        var terms = pod.affinity().required();
        Optional<Rejection> unmet = Optional.empty();
        for (var term : terms) {
            var domain = TopologyDomain.of(term.topologyKey(), node);
            if (domain.isEmpty()) {
                return Optional.of(
                        new InterPodAffinityFilter.PodAffinityNotMet(
                                term.topologyKey(), domain, terms));
            }
            if (unmet.isEmpty() && !affinityCounts.containsKey(domain.get())) {
                unmet =
                        Optional.of(
                                new InterPodAffinityFilter.PodAffinityNotMet(
                                        term.topologyKey(), domain, terms));
            }
        }
        // The first pod of a group with affinity to itself may be placed anywhere; otherwise none
        // could start.
        return affinityCounts.isEmpty() && matchesAll(terms, pod) ? Optional.empty() : unmet;
    }

    private Optional<Rejection> antiAffinityRejection(Node node) {
        var terms = pod.antiAffinity().required();
        for (var i = 0; i < terms.size(); i++) {
            var domain = TopologyDomain.of(terms.get(i).topologyKey(), node);
            var pods = domain.map(antiAffinityCounts.get(i)::get);
            if (pods.isPresent()) {
                return Optional.of(
                        new InterPodAffinityFilter.PodAntiAffinityViolated(
                                domain.get(), terms.get(i), pods.get()));
            }
        }
        return Optional.empty();
    }

    private Optional<Rejection> existingAntiAffinityRejection(Node node) {
        for (var key : existingAntiAffinityKeys) {
            var domain = TopologyDomain.of(key, node);
            var pods = domain.map(existingAntiAffinityCounts::get);
            if (pods.isPresent()) {
                return Optional.of(
                        new InterPodAffinityFilter.ExistingAntiAffinityViolated(
                                domain.get(), pods.get()));
            }
        }
        return Optional.empty();
    }
}
