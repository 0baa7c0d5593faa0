package dev.berth.core.explain.finding;

import dev.berth.core.explain.ExplainInputs;
import dev.berth.core.explain.NodeReport;
import dev.berth.core.explain.RequestConflict;
import dev.berth.core.explain.text.ExplanationWording;
import dev.berth.model.api.meta.ObjectRef;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Findings of requests that have enough devices one by one and do not fit together.
final class ConflictFindings {

    /// Bound for readability.
    private static final int MAX_REQUESTS = 4;

    private final ExplainInputs inputs;
    private final ChangeTargets targets;
    private final List<NodeReport> open;

    /// @param open the nodes that the pod can use
    ConflictFindings(ExplainInputs inputs, List<NodeReport> open) {
        this.inputs = inputs;
        this.targets = new ChangeTargets(inputs);
        this.open = open;
    }

    /// The conflict of a node, an error of the allocator, a search that was given up, or requests
    /// that fit on different nodes.
    Optional<Finding> first() {
        return open.stream()
                .flatMap(node -> node.conflicts().stream().map(this::conflict))
                .findFirst()
                .or(this::failure)
                .or(this::undecided)
                .or(() ->
                        inputs.claims().isEmpty()
                                ? Optional.empty()
                                : Optional.of(onDifferentNodes()));
    }

    private Finding conflict(RequestConflict conflict) {
        return switch (conflict) {
            case RequestConflict.ConstraintUnmet(
                            var claim,
                            var number,
                            var match,
                            var attribute,
                            var values) ->
                    new Finding(
                            targets.constraint(claim, number),
                            "not enough free devices %s %s"
                                    .formatted(match ? "agree in" : "differ in", attribute),
                            "free devices have "
                                    + (values.isEmpty()
                                            ? "none"
                                            : ExplanationWording.counted(values)));
            case RequestConflict.NotAtOnce(var claim, var request, var needed, var most) ->
                    new Finding(
                            targets.request(claim, request, "count"),
                            "%d devices are requested, at most %d can be allocated together"
                                    .formatted(needed, most));
            case RequestConflict.Competing(var competing) ->
                    new Finding(
                            targets.claim(
                                    inputs.claims().getFirst().ref(),
                                    "requests " + ExplanationWording.listed(competing, ", "),
                                    "spec.devices.requests"),
                            "they compete for the same devices, counters or capacity");
        };
    }

    /// An error of the allocator that no device accounts for.
    private Optional<Finding> failure() {
        return open.stream()
                .flatMap(node -> node.failure().stream())
                .findFirst()
                .map(message ->
                        new Finding(
                                targets.claim(
                                        inputs.claims().isEmpty()
                                                ? new ObjectRef("", "")
                                                : inputs.claims().getFirst().ref(),
                                        "requests",
                                        "spec.devices.requests"),
                                message));
    }

    private Optional<Finding> undecided() {
        var nodes = open.stream().filter(NodeReport::undecided).count();
        return nodes == 0 || inputs.claims().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Finding(
                                targets.claim(
                                        inputs.claims().getFirst().ref(),
                                        "requests",
                                        "spec.devices.requests"),
                                "the search for devices reached its limit on %d node%s"
                                        .formatted(nodes, nodes == 1 ? "" : "s"),
                                "use fewer requests and constraints"));
    }

    /// Each request fits on some nodes, and no node is among those of all requests.
    private Finding onDifferentNodes() {
        var claims = inputs.claims().stream().map(claim -> claim.ref().name()).distinct().count();
        var nodes = new LinkedHashMap<String, Integer>();
        for (var node : open) {
            var fits = new LinkedHashMap<String, Boolean>();
            for (var request : node.requests()) {
                var name =
                        claims == 1
                                ? request.wholeRequest()
                                : "%s of claim %s"
                                        .formatted(request.wholeRequest(), request.claim().name());
                fits.merge(name, !request.isShort(), Boolean::logicalOr);
            }
            fits.forEach((name, fit) -> nodes.merge(name, fit ? 1 : 0, Integer::sum));
        }
        return new Finding(
                targets.claim(
                        inputs.claims().getFirst().ref(),
                        claims == 1 && nodes.size() > 1
                                ? "requests "
                                        + ExplanationWording.listed(
                                                List.copyOf(nodes.keySet()), ", ")
                                : "requests",
                        "spec.devices.requests"),
                "no node has devices for all",
                nodes.entrySet().stream()
                        .map(one ->
                                "%s fits on %d node%s"
                                        .formatted(
                                                one.getKey(),
                                                one.getValue(),
                                                one.getValue() == 1 ? "" : "s"))
                        .limit(MAX_REQUESTS)
                        .collect(Collectors.joining(", ")));
    }
}
