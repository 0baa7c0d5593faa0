package dev.berth.core.explain;

import dev.berth.core.place.Rejection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The one sentence that says why.
final class ExplanationSummary {

    private ExplanationSummary() {}

    /// @param cluster each request over all nodes
    static String of(List<RequestReport> cluster, List<NodeReport> nodes) {
        if (nodes.isEmpty()) {
            return "the cluster has no nodes";
        }
        var open = nodes.stream().filter(NodeReport::isOpen).toList();
        var ruledOut = ruledOut(nodes);
        if (open.isEmpty()) {
            return unusable(nodes).or(() -> ruledOut).orElse("");
        }
        return noClass(cluster)
                        .or(() -> failure(cluster, open))
                        .or(() -> shortages(cluster, open))
                        .or(() -> pools(open))
                        .or(() -> entanglements(open))
                        .orElse("no node has devices for all requests at once")
                + ruledOut.map(words -> "; " + words).orElse("");
    }

    /// How many nodes each rule takes away. A node counts for the first rule that takes it.
    static Optional<String> ruledOut(List<NodeReport> nodes) {
        var counts = new LinkedHashMap<String, Integer>();
        nodes.stream()
                .filter(node -> !node.isOpen())
                .map(node -> RejectionText.rule(node.barred().getFirst()))
                .forEach(rule -> counts.merge(rule, 1, Integer::sum));
        var parts =
                counts.entrySet().stream()
                        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                        .map(entry ->
                                "%d node%s ruled out (%s)"
                                        .formatted(
                                                entry.getValue(),
                                                entry.getValue() == 1 ? "" : "s",
                                                entry.getKey()))
                        .toList();
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of(ExplanationWording.listed(parts, ", "));
    }

    /// What is wrong with claims of the pod, which has nothing to do with nodes.
    private static Optional<String> unusable(List<NodeReport> nodes) {
        var words =
                nodes.getFirst().barred().stream()
                        .filter(Rejection.ClaimUnusable.class::isInstance)
                        .map(RejectionText::words)
                        .toList();
        return words.isEmpty()
                ? Optional.empty()
                : Optional.of(ExplanationWording.listed(words, "; "));
    }

    private static Optional<String> noClass(List<RequestReport> cluster) {
        for (var request : cluster) {
            for (var toll : request.tolls()) {
                if (toll.obstacle() instanceof Obstacle.NoSuchClass) {
                    return Optional.of(
                            named(cluster, request) + ": " + ExplanationWording.toll(toll));
                }
            }
        }
        return Optional.empty();
    }

    /// A refusal of the claim itself; faults of devices and pools are told by counting them.
    private static Optional<String> failure(List<RequestReport> cluster, List<NodeReport> open) {
        var counted =
                cluster.stream()
                        .flatMap(request -> request.tolls().stream())
                        .map(ObstacleCount::obstacle)
                        .anyMatch(o ->
                                o instanceof Obstacle.Fault || o instanceof Obstacle.PoolUnusable);
        return open.stream()
                        .allMatch(n -> n.failure().isPresent() && (n.missing() == 0 || !counted))
                ? open.getFirst().failure()
                : Optional.empty();
    }

    /// Requests that are short on every node, whichever alternative is taken.
    private static Optional<String> shortages(List<RequestReport> cluster, List<NodeReport> open) {
        var names = new LinkedHashSet<String>();
        for (var request : cluster) {
            var whole = request.wholeRequest();
            var hopeless =
                    open.stream()
                            .allMatch(node ->
                                    node.requests().stream()
                                            .filter(r ->
                                                    r.claim().equals(request.claim())
                                                            && r.wholeRequest().equals(whole))
                                            .allMatch(RequestReport::isShort));
            if (hopeless) {
                names.add(shortage(cluster, request, open));
            }
        }
        return names.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", names));
    }

    private static String shortage(
            List<RequestReport> cluster, RequestReport request, List<NodeReport> open) {
        var parts = new ArrayList<String>();
        parts.add(ExplanationWording.population(request));
        for (var toll : request.tolls()) {
            var holders =
                    toll.holders().isEmpty()
                            ? ""
                            : " (" + ExplanationWording.claims(toll.holders()) + ")";
            parts.add(ExplanationWording.toll(toll) + holders);
        }
        if (request.left() > 0) {
            var most =
                    open.stream()
                            .flatMap(node -> node.requests().stream())
                            .filter(r ->
                                    r.claim().equals(request.claim())
                                            && r.request().equals(request.request()))
                            .mapToInt(RequestReport::left)
                            .max()
                            .orElse(0);
            parts.add(
                    "%d left, at most %d on one node, %d needed"
                            .formatted(request.left(), most, request.needed()));
        }
        return named(cluster, request) + ": " + ExplanationWording.listed(parts, ", ");
    }

    private static String named(List<RequestReport> cluster, RequestReport request) {
        if (!request.serves().isEmpty()) {
            return ExplanationWording.resource(request.serves());
        }
        var claims = cluster.stream().map(RequestReport::claim).distinct().count();
        return "request " + request.request() + (claims == 1 ? "" : " of claim " + request.claim());
    }

    private static Optional<String> pools(List<NodeReport> open) {
        var pools = new LinkedHashSet<String>();
        for (var node : open) {
            node.pools().forEach(p -> pools.add("pool %s is %s".formatted(p.pool(), p.why())));
        }
        return pools.isEmpty()
                ? Optional.empty()
                : Optional.of(ExplanationWording.listed(List.copyOf(pools), "; "));
    }

    private static Optional<String> entanglements(List<NodeReport> open) {
        return open.stream()
                .flatMap(node ->
                        node.entanglements().stream()
                                .map(one -> entanglement(one, node.requests())))
                .findFirst();
    }

    /// @param requests of the node, which say what they stand for
    static String entanglement(RequestConflict entanglement, List<RequestReport> requests) {
        return switch (entanglement) {
            case RequestConflict.ConstraintUnmet(
                            var claim,
                            var number,
                            var match,
                            var attribute,
                            var values) ->
                    "constraint %d of claim %s: not enough devices %s %s; those left have %s"
                            .formatted(
                                    number,
                                    claim,
                                    match ? "agree in" : "differ in",
                                    attribute,
                                    values.isEmpty() ? "none" : ExplanationWording.counted(values));
            case RequestConflict.NotAtOnce(var claim, var request, var needed, var most) ->
                    "%s needs %d devices, at most %d can be had at once"
                            .formatted(
                                    ExplanationWording.request(requests, claim, request),
                                    needed,
                                    most);
            case RequestConflict.Competing(var names) ->
                    "requests compete for the same devices, counters or capacity: "
                            + ExplanationWording.listed(names, ", ");
        };
    }
}
