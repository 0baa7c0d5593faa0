package dev.berth.app.cluster;

import dev.berth.model.api.pod.Affinity;
import dev.berth.model.api.pod.NodeAffinity;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.selector.NodeSelector;
import dev.berth.model.api.selector.NodeSelectorOperator;
import dev.berth.model.api.selector.NodeSelectorRequirement;
import dev.berth.model.api.selector.NodeSelectorTerm;
import dev.berth.model.api.taint.NodeTaintEffect;
import dev.berth.model.api.taint.Toleration;
import dev.berth.model.api.taint.TolerationOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Pods of DaemonSets: one per matching node, also on cordoned nodes.
final class DaemonSetPods {

    private static final Toleration CORDON =
            new Toleration(
                    "node.kubernetes.io/unschedulable",
                    TolerationOperator.Known.EXISTS,
                    "",
                    Optional.of(NodeTaintEffect.Known.NO_SCHEDULE),
                    OptionalLong.empty());

    private DaemonSetPods() {}

    static Pod on(Pod pod, String node) {
        var spec = pod.spec();
        var tolerations = new ArrayList<>(spec.tolerations());
        tolerations.add(CORDON);
        return new Pod(
                pod.metadata(),
                spec.with(affinity(spec.affinity(), node), tolerations),
                pod.status());
    }

    private static Affinity affinity(Optional<Affinity> given, String node) {
        var own =
                new NodeSelectorRequirement(
                        "metadata.name", NodeSelectorOperator.Known.IN, List.of(node));
        var nodes = given.flatMap(Affinity::nodeAffinity);
        var terms = new ArrayList<NodeSelectorTerm>();
        for (var term :
                nodes.flatMap(NodeAffinity::required).map(NodeSelector::terms).orElse(List.of())) {
            var fields = new ArrayList<>(term.matchFields());
            fields.add(own);
            terms.add(new NodeSelectorTerm(term.matchExpressions(), fields));
        }
        var required = terms.isEmpty() ? NodeSelector.ofNode(node) : new NodeSelector(terms);
        return new Affinity(
                Optional.of(
                        new NodeAffinity(
                                Optional.of(required),
                                nodes.map(NodeAffinity::preferred).orElse(List.of()))),
                given.flatMap(Affinity::podAffinity),
                given.flatMap(Affinity::podAntiAffinity));
    }
}
