package dev.berth.core.place;

import dev.berth.core.persistent.Sorted;
import dev.berth.model.api.Node;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// How much a pod and those near it like to be near each other; below zero when they had rather
/// not.
final class CompanyWish {

    /// What a pod's requirement is worth to those that it requires, as Kubernetes has it.
    private static final long REQUIRED_WEIGHT = 1;

    private final PodLook pod;
    private final Fleet fleet;
    private final Namespaces namespaces;
    private final Map<Domain, Long> sums = new HashMap<>();
    private final Set<String> keys = new HashSet<>();

    CompanyWish(PodLook pod, Crowd crowd, Fleet fleet, Namespaces namespaces) {
        this.pod = pod;
        this.fleet = fleet;
        this.namespaces = namespaces;
        crowd.counts().forEach(this::count);
    }

    private void count(PodLook other, Sorted<String, Long> perNode) {
        pod.near().preferred().forEach(wish -> add(wish, 1, other, perNode));
        pod.apart().preferred().forEach(wish -> add(wish, -1, other, perNode));
        other.near().preferred().forEach(wish -> add(wish, 1, pod, perNode));
        other.apart().preferred().forEach(wish -> add(wish, -1, pod, perNode));
        other.near()
                .required()
                .forEach(term -> add(new PodLook.Wish(REQUIRED_WEIGHT, term), 1, pod, perNode));
    }

    private void add(PodLook.Wish wish, long sign, PodLook of, Sorted<String, Long> perNode) {
        if (!wish.term().means(of, namespaces)) {
            return;
        }
        var key = wish.term().topologyKey();
        keys.add(key);
        perNode.forEach((name, count) ->
                fleet.node(name)
                        .flatMap(node -> Company.domain(key, node))
                        .ifPresent(domain ->
                                sums.merge(domain, sign * wish.weight() * count, Long::sum)));
    }

    /// True when nobody has anything to say about any node.
    boolean isNone() {
        return keys.isEmpty();
    }

    long liking(Node node) {
        var sum = 0L;
        for (var key : keys) {
            sum += Company.domain(key, node).map(sums::get).orElse(0L);
        }
        return sum;
    }
}
