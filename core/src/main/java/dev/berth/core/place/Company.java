package dev.berth.core.place;

import dev.berth.core.persistent.Sorted;
import dev.berth.model.api.Node;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What a pod requires of its neighbours, and they of it: counted once for the pod, so that a node
/// costs one look-up a term.
final class Company {

    private final PodLook pod;
    private final Namespaces namespaces;
    private final Fleet fleet;

    /// Pods that meet all terms of affinity, by place.
    private final Map<Domain, Long> wanted = new HashMap<>();

    /// Pods that the pod keeps away from, by place.
    private final Map<Domain, Long> unwanted = new HashMap<>();

    /// Pods that keep away from the pod, by place.
    private final Map<Domain, Long> unwilling = new HashMap<>();

    /// The labels by which they keep away: few, however many places there are.
    private final Set<String> unwillingKeys = new HashSet<>();

    private Company(PodLook pod, Fleet fleet, Namespaces namespaces) {
        this.pod = pod;
        this.fleet = fleet;
        this.namespaces = namespaces;
    }

    static Company of(PodLook pod, Crowd crowd, Fleet fleet, Namespaces namespaces) {
        var company = new Company(pod, fleet, namespaces);
        crowd.counts().forEach(company::count);
        return company;
    }

    private void count(PodLook other, Sorted<String, Long> perNode) {
        var near = pod.near().required();
        if (!near.isEmpty() && meetsAll(near, other)) {
            near.forEach(term -> add(wanted, term, perNode));
        }
        for (var term : pod.apart().required()) {
            if (term.means(other, namespaces)) {
                add(unwanted, term, perNode);
            }
        }
        for (var term : other.apart().required()) {
            if (term.means(pod, namespaces)) {
                add(unwilling, term, perNode);
                unwillingKeys.add(term.topologyKey());
            }
        }
    }

    private boolean meetsAll(List<PodTerm> terms, PodLook other) {
        return terms.stream().allMatch(term -> term.means(other, namespaces));
    }

    private void add(Map<Domain, Long> sums, PodTerm term, Sorted<String, Long> perNode) {
        perNode.forEach((name, count) ->
                fleet.node(name)
                        .flatMap(node -> domain(term.topologyKey(), node))
                        .ifPresent(domain -> sums.merge(domain, count, Long::sum)));
    }

    static Optional<Domain> domain(String key, Node node) {
        return Optional.ofNullable(node.labels().get(key)).map(value -> new Domain(key, value));
    }

    /// Why the node will not do.
    Optional<Reason> objection(Node node) {
        if (!hasWanted(node)) {
            return Optional.of(new Reason.NoWantedPods());
        }
        if (pod.apart().required().stream()
                .anyMatch(term -> isIn(unwanted, term.topologyKey(), node))) {
            return Optional.of(new Reason.UnwantedPods());
        }
        return unwillingKeys.stream().anyMatch(key -> isIn(unwilling, key, node))
                ? Optional.of(new Reason.UnwillingPods())
                : Optional.empty();
    }

    private static boolean isIn(Map<Domain, Long> places, String key, Node node) {
        return domain(key, node).filter(places::containsKey).isPresent();
    }

    private boolean hasWanted(Node node) {
        var isComplete = true;
        for (var term : pod.near().required()) {
            var domain = domain(term.topologyKey(), node);
            if (domain.isEmpty()) {
                return false;
            }
            isComplete &= wanted.containsKey(domain.get());
        }
        // The first of pods that want each other may go anywhere, or none could ever start.
        return isComplete || (wanted.isEmpty() && meetsAll(pod.near().required(), pod));
    }
}
