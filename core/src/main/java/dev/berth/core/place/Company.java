package dev.berth.core.place;

import dev.berth.core.persistent.Sorted;
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
final class Company {

    private final PodLook pod;
    private final Namespaces namespaces;
    private final Fleet fleet;

    /// Pods that meet all terms of affinity, by place.
    private final Map<Domain, Long> wanted = new HashMap<>();

    /// Pods that the pod keeps away from, by place; one for each term.
    private final List<Map<Domain, Long>> unwanted;

    /// Pods that keep away from the pod, by place.
    private final Map<Domain, Long> unwilling = new HashMap<>();

    /// The labels by which they keep away: few, however many places there are.
    private final Set<String> unwillingKeys = new TreeSet<>();

    private Company(PodLook pod, Fleet fleet, Namespaces namespaces) {
        this.pod = pod;
        this.fleet = fleet;
        this.namespaces = namespaces;
        this.unwanted =
                pod.apart().required().stream()
                        .<Map<Domain, Long>>map(_ -> new HashMap<>())
                        .toList();
    }

    static Company of(PodLook pod, Crowd crowd, Fleet fleet, Namespaces namespaces) {
        var company = new Company(pod, fleet, namespaces);
        crowd.counts().forEach(company::count);
        return company;
    }

    private void count(PodLook other, Sorted<String, Long> perNode) {
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

    private boolean meetsAll(List<PodTerm> terms, PodLook other) {
        return terms.stream().allMatch(term -> term.means(other, namespaces));
    }

    private void add(Map<Domain, Long> sums, String key, Sorted<String, Long> perNode) {
        perNode.forEach((name, count) ->
                fleet.node(name)
                        .flatMap(node -> domain(key, node))
                        .ifPresent(domain -> sums.merge(domain, count, Long::sum)));
    }

    static Optional<Domain> domain(String key, Node node) {
        return Optional.ofNullable(node.labels().get(key)).map(value -> new Domain(key, value));
    }

    /// True when nobody objects to any node.
    boolean isContent() {
        return pod.near().required().isEmpty()
                && pod.apart().required().isEmpty()
                && unwillingKeys.isEmpty();
    }

    /// Why the node will not do.
    Optional<Reason> objection(Node node) {
        return noWanted(node).or(() -> unwanted(node)).or(() -> unwilling(node));
    }

    /// All that speaks against the node.
    List<Reason> objections(Node node) {
        return Stream.of(noWanted(node), unwanted(node), unwilling(node))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<Reason> noWanted(Node node) {
        var terms = pod.near().required();
        Optional<Reason> lacking = Optional.empty();
        for (var term : terms) {
            var domain = domain(term.topologyKey(), node);
            if (domain.isEmpty()) {
                return Optional.of(new Reason.NoWantedPods(term.topologyKey(), domain, terms));
            }
            if (lacking.isEmpty() && !wanted.containsKey(domain.get())) {
                lacking = Optional.of(new Reason.NoWantedPods(term.topologyKey(), domain, terms));
            }
        }
        // The first of pods that want each other may go anywhere, or none could ever start.
        return wanted.isEmpty() && meetsAll(terms, pod) ? Optional.empty() : lacking;
    }

    private Optional<Reason> unwanted(Node node) {
        var terms = pod.apart().required();
        for (var i = 0; i < terms.size(); i++) {
            var domain = domain(terms.get(i).topologyKey(), node);
            var pods = domain.map(unwanted.get(i)::get);
            if (pods.isPresent()) {
                return Optional.of(new Reason.UnwantedPods(domain.get(), terms.get(i), pods.get()));
            }
        }
        return Optional.empty();
    }

    private Optional<Reason> unwilling(Node node) {
        for (var key : unwillingKeys) {
            var domain = domain(key, node);
            var pods = domain.map(unwilling::get);
            if (pods.isPresent()) {
                return Optional.of(new Reason.UnwillingPods(domain.get(), pods.get()));
            }
        }
        return Optional.empty();
    }
}
