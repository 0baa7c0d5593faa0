package dev.berth.core.explain.finding;

import dev.berth.core.explain.ExplainInputs;
import dev.berth.core.explain.NodeReport;
import dev.berth.core.explain.text.ExplanationWording;
import dev.berth.core.lint.SpellingSuggestions;
import dev.berth.core.place.filter.DynamicResourcesFilter;
import dev.berth.core.snapshot.TopologyDomain;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.selector.NodeSelector;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// Findings of node selectors and node affinities that rule out nodes.
final class NodeAffinityFindings {

    private final ExplainInputs inputs;
    private final ChangeTargets targets;

    NodeAffinityFindings(ExplainInputs inputs) {
        this.inputs = inputs;
        this.targets = new ChangeTargets(inputs);
    }

    /// @param label the label of the node selector that the nodes do not have; empty for an
    ///   affinity
    /// @param nodes the ruled-out nodes, those with the requested devices first
    Finding of(Optional<TopologyDomain> label, List<NodeReport> nodes) {
        if (label.isEmpty()) {
            return new Finding(
                    targets.pod("spec.affinity.nodeAffinity"),
                    "%s %s".formatted(none(nodes, "matches", "not matching"), requirements()),
                    similarNode());
        }
        var wanted = label.get();
        return new Finding(
                targets.pod("spec.nodeSelector"),
                "%s label %s".formatted(none(nodes, "has", "without"), wanted),
                similarLabel(wanted));
    }

    /// `no node has`, or `node a and 2 others without`. Nodes with the requested devices come
    /// first.
    private String none(List<NodeReport> nodes, String verb, String preposition) {
        if (nodes.size() == inputs.nodes().size()) {
            return "no node " + verb;
        }
        var others = nodes.size() - 1;
        return "node %s%s%s %s"
                .formatted(
                        nodes.getFirst().node(),
                        withClaim(nodes.getFirst()),
                        others == 0
                                ? ""
                                : others == 1 ? " and 1 other" : " and %d others".formatted(others),
                        preposition);
    }

    /// A node that can access the devices of the allocated claims of the pod.
    private String withClaim(NodeReport node) {
        if (node.rejections().stream()
                .anyMatch(DynamicResourcesFilter.UnavailableClaim.class::isInstance)) {
            return "";
        }
        return inputs.holders().stream()
                .map(ResourceClaim::ref)
                .filter(inputs.own()::contains)
                .findFirst()
                .map(" with the devices of claim %s"::formatted)
                .orElse("");
    }

    /// The required node affinity: `zone In [a, b] or rack Exists`.
    private String requirements() {
        return required().map(NodeSelectorText::of).orElse("");
    }

    private Optional<NodeSelector> required() {
        return inputs.pod()
                .flatMap(pod -> pod.spec().affinity())
                .flatMap(affinity -> affinity.nodeAffinity())
                .flatMap(affinity -> affinity.required());
    }

    /// The nearest name of a node that does not exist.
    private String similarNode() {
        var names = inputs.nodes().stream().map(Node::name).toList();
        return required().map(NodeSelectorText::nodeNames).orElse(List.of()).stream()
                .filter(name -> !names.contains(name))
                .findFirst()
                .map(name ->
                        "node %s does not exist%s"
                                .formatted(
                                        name,
                                        SpellingSuggestions.nearest(name, names)
                                                .map("; did you mean %s?"::formatted)
                                                .orElse("")))
                .orElse("");
    }

    /// The nearest label of any node.
    private String similarLabel(TopologyDomain wanted) {
        var values = new TreeSet<String>();
        var keys = new TreeSet<String>();
        for (var node : inputs.nodes()) {
            keys.addAll(node.labels().keySet());
            Optional.ofNullable(node.labels().get(wanted.key())).ifPresent(values::add);
        }
        if (!values.isEmpty()) {
            return "nodes have %s=%s"
                    .formatted(wanted.key(), ExplanationWording.listed(List.copyOf(values), ", "));
        }
        return SpellingSuggestions.nearest(wanted.key(), keys)
                .map(key -> "no node has label %s; did you mean %s?".formatted(wanted.key(), key))
                .orElse("no node has label " + wanted.key());
    }
}
