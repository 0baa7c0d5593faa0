package dev.berth.core.place;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.Node;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What a pod requires of its neighbours, and they of it: counted once for the pod, so that a node
/// costs one look-up a term.
final class InterPodAffinity {

    private final AffinityProfile pod;
    private final NamespaceLabels namespaces;
    private final ClusterInventory fleet;

    /// Pods that meet all terms of affinity, by place.
    private final Map<TopologyDomain, Long> wanted = new HashMap<>();

    /// Pods that the pod keeps away from, by place; one for each term.
    private final List<Map<TopologyDomain, Long>> unwanted;

    /// Pods that keep away from the pod, by place.
    private final Map<TopologyDomain, Long> unwilling = new HashMap<>();

    /// The labels by which they keep away: few, however many places there are.
    private final Set<String> unwillingKeys = new TreeSet<>();

    private InterPodAffinity(
            AffinityProfile pod, ClusterInventory fleet, NamespaceLabels namespaces) {
        this.pod = pod;
        this.fleet = fleet;
        this.namespaces = namespaces;
        this.unwanted =
                pod.apart().required().stream()
                        .<Map<TopologyDomain, Long>>map(_ -> new HashMap<>())
                        .toList();
    }

    static InterPodAffinity of(
            AffinityProfile pod,
            PodCounts crowd,
            ClusterInventory fleet,
            NamespaceLabels namespaces) {
        var company = new InterPodAffinity(pod, fleet, namespaces);
        crowd.counts().forEach(company::count);
        return company;
    }

    private void count(AffinityProfile other, PersistentSortedMap<String, Long> perNode) {
        var near = pod.near().required();
        if (!near.isEmpty() && meetsAll(near, other)) {
            near.forEach(term -> add(wanted, term.topologyKey(), perNode));
        }
        var apart = pod.apart().required();
        for (var i = 0; i < apart.size(); i++) {
            if (apart.get(i).means(other, namespaces)) {
                add(unwanted.get(i), apart.get(i).topologyKey(), perNode);
            }
        }
        // A pod that keeps away for two reasons is one pod all the same.
        var keys = new HashSet<String>();
        for (var term : other.apart().required()) {
            if (term.means(pod, namespaces) && keys.add(term.topologyKey())) {
                add(unwilling, term.topologyKey(), perNode);
            }
        }
        unwillingKeys.addAll(keys);
    }

    private boolean meetsAll(List<AffinityTerm> terms, AffinityProfile other) {
        return terms.stream().allMatch(term -> term.means(other, namespaces));
    }

    private void add(
            Map<TopologyDomain, Long> sums, String key, PersistentSortedMap<String, Long> perNode) {
        perNode.forEach((name, count) ->
                fleet.node(name)
                        .flatMap(node -> domain(key, node))
                        .ifPresent(domain -> sums.merge(domain, count, Long::sum)));
    }

    static Optional<TopologyDomain> domain(String key, Node node) {
        return Optional.ofNullable(node.labels().get(key))
                .map(value -> new TopologyDomain(key, value));
    }

    /// True when nobody objects to any node.
    boolean isContent() {
        return pod.near().required().isEmpty()
                && pod.apart().required().isEmpty()
                && unwillingKeys.isEmpty();
    }

    /// Why the node will not do.
    Optional<Rejection> objection(Node node) {
        return noWanted(node).or(() -> unwanted(node)).or(() -> unwilling(node));
    }

    /// All that speaks against the node.
    List<Rejection> objections(Node node) {
        return Stream.of(noWanted(node), unwanted(node), unwilling(node))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<Rejection> noWanted(Node node) {
        var terms = pod.near().required();
        Optional<Rejection> lacking = Optional.empty();
        for (var term : terms) {
            var domain = domain(term.topologyKey(), node);
            if (domain.isEmpty()) {
                return Optional.of(new Rejection.NoWantedPods(term.topologyKey(), domain, terms));
            }
            if (lacking.isEmpty() && !wanted.containsKey(domain.get())) {
                lacking =
                        Optional.of(new Rejection.NoWantedPods(term.topologyKey(), domain, terms));
            }
        }
        // The first of pods that want each other may go anywhere, or none could ever start.
        return wanted.isEmpty() && meetsAll(terms, pod) ? Optional.empty() : lacking;
    }

    private Optional<Rejection> unwanted(Node node) {
        var terms = pod.apart().required();
        for (var i = 0; i < terms.size(); i++) {
            var domain = domain(terms.get(i).topologyKey(), node);
            var pods = domain.map(unwanted.get(i)::get);
            if (pods.isPresent()) {
                return Optional.of(
                        new Rejection.UnwantedPods(domain.get(), terms.get(i), pods.get()));
            }
        }
        return Optional.empty();
    }

    private Optional<Rejection> unwilling(Node node) {
        for (var key : unwillingKeys) {
            var domain = domain(key, node);
            var pods = domain.map(unwilling::get);
            if (pods.isPresent()) {
                return Optional.of(new Rejection.UnwillingPods(domain.get(), pods.get()));
            }
        }
        return Optional.empty();
    }
}
