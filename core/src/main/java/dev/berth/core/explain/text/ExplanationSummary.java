package dev.berth.core.explain.text;

import dev.berth.core.explain.NodeReport;
import dev.berth.core.explain.Obstacle;
import dev.berth.core.explain.ObstacleCount;
import dev.berth.core.explain.RequestConflict;
import dev.berth.core.explain.RequestReport;
import dev.berth.core.place.ClaimUnusable;
import dev.berth.core.place.Rejection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Summarizes the cause in one sentence.
public final class ExplanationSummary {

    private ExplanationSummary() {}

    /// The reasons of all nodes in one sentence.
    ///
    /// @param cluster report of each request over all nodes
    public static String of(List<RequestReport> cluster, List<NodeReport> nodes) {
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
                        .or(() -> conflicts(open))
                        .orElse("no node has devices for all requests at once")
                + ruledOut.map(words -> "; " + words).orElse("");
    }

    /// The number of nodes that each rule rejects. A node counts for the first rule that rejects
    /// it.
    public static Optional<String> ruledOut(List<NodeReport> nodes) {
        var counts = new LinkedHashMap<String, Integer>();
        nodes.stream()
                .filter(node -> !node.isOpen())
                .map(node -> node.rejections().getFirst().rule())
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

    /// Problems of the pod's claims that do not depend on nodes.
    private static Optional<String> unusable(List<NodeReport> nodes) {
        var words =
                nodes.getFirst().rejections().stream()
                        .filter(ClaimUnusable.class::isInstance)
                        .map(Rejection::description)
                        .toList();
        return words.isEmpty()
                ? Optional.empty()
                : Optional.of(ExplanationWording.listed(words, "; "));
    }

    private static Optional<String> noClass(List<RequestReport> cluster) {
        for (var request : cluster) {
            for (var count : request.obstacles()) {
                if (count.obstacle() instanceof Obstacle.NoSuchClass) {
                    return Optional.of(
                            named(cluster, request) + ": " + ExplanationWording.count(count));
                }
            }
        }
        return Optional.empty();
    }

    /// An allocator error caused by the claim itself; errors of devices and pools appear as counts.
    private static Optional<String> failure(List<RequestReport> cluster, List<NodeReport> open) {
        var counted =
                cluster.stream()
                        .flatMap(request -> request.obstacles().stream())
                        .map(ObstacleCount::obstacle)
                        .anyMatch(o ->
                                o instanceof Obstacle.Fault || o instanceof Obstacle.PoolUnusable);
        return open.stream()
                        .allMatch(n -> n.failure().isPresent() && (n.missing() == 0 || !counted))
                ? open.getFirst().failure()
                : Optional.empty();
    }

    /// Requests that are short on every node in all their alternatives.
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
        parts.add(ExplanationWording.deviceCount(request));
        for (var count : request.obstacles()) {
            var holders =
                    count.holders().isEmpty()
                            ? ""
                            : " (" + ExplanationWording.claims(count.holders()) + ")";
            parts.add(ExplanationWording.count(count) + holders);
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

    private static Optional<String> conflicts(List<NodeReport> open) {
        return open.stream()
                .flatMap(node ->
                        node.conflicts().stream().map(one -> conflict(one, node.requests())))
                .findFirst();
    }

    /// The requests that fit separately and not together.
    ///
    /// @param requests reports of the node, for the names of the requests
    public static String conflict(RequestConflict conflict, List<RequestReport> requests) {
        return switch (conflict) {
            case RequestConflict.ConstraintUnmet(
                            var claim,
                            var number,
                            var match,
                            var attribute,
                            var values) ->
                    "constraint %d of claim %s: not enough devices %s %s; free devices have %s"
                            .formatted(
                                    number,
                                    claim,
                                    match ? "agree in" : "differ in",
                                    attribute,
                                    values.isEmpty() ? "none" : ExplanationWording.counted(values));
            case RequestConflict.NotAtOnce(var claim, var request, var needed, var most) ->
                    "%s needs %d devices, at most %d can be allocated together"
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
