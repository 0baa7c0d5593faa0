package dev.berth.core.explain;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.SearchPolicy;
import dev.berth.core.inventory.NodeSelectors;
import dev.berth.core.inventory.Pool;
import dev.berth.core.place.Fleet;
import dev.berth.core.place.Hearing;
import dev.berth.core.place.Placer;
import dev.berth.core.place.Question;
import dev.berth.core.place.Reason;
import dev.berth.model.api.Node;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// What keeps a pod off nodes, devices aside: the rules by which pods are placed.
final class Bars {

    private final ClusterObjects cluster;
    private final Pod pod;
    private final Hearing hearing;

    Bars(ClusterObjects cluster, Pod pod, List<ResourceClaim> used) {
        this.cluster = cluster;
        this.pod = pod;
        var allocated = new ArrayList<ResourceClaim>();
        var wanted = new ArrayList<ResourceClaim>();
        for (var claim : used) {
            (claim.status().allocation().isPresent() ? allocated : wanted).add(claim);
        }
        // Nobody is asked for devices here, so that no slices are needed.
        var fleet =
                Fleet.of(cluster.nodes(), List.of(), cluster.classes(), new Pool.Rules(true, true));
        var placer =
                new Placer(
                        fleet,
                        cluster.surroundings(),
                        new Allocator(Allocator.DEFAULT_BUDGET),
                        Set.of(),
                        SearchPolicy.KUBERNETES,
                        () -> "");
        this.hearing =
                placer.hear(
                        new Question(pod, allocated, wanted),
                        cluster.occupancy().withoutPod(pod.ref()));
    }

    /// All reasons by node; none for nodes that the pod may use. A pod that has its node keeps it,
    /// whatever has become of the node since.
    Map<String, List<Reason>> all() {
        return pod.spec().nodeName().isEmpty()
                ? reasons(_ -> true)
                : reasons(reason ->
                        reason instanceof Reason.OtherNode
                                || reason instanceof Reason.ClaimElsewhere);
    }

    /// What claims that have devices have against nodes, whoever uses them.
    static Map<String, List<Reason>> ofClaims(List<Node> nodes, List<ResourceClaim> used) {
        var barred = new HashMap<String, List<Reason>>();
        for (var node : nodes) {
            for (var claim : used) {
                claim.status()
                        .allocation()
                        .flatMap(got -> got.nodeSelector())
                        .filter(selector -> !NodeSelectors.matches(selector, node))
                        .ifPresent(_ ->
                                barred.put(
                                        node.name(),
                                        List.of(new Reason.ClaimElsewhere(claim.ref()))));
            }
        }
        return barred;
    }

    private Map<String, List<Reason>> reasons(Predicate<Reason> matters) {
        var barred = new HashMap<String, List<Reason>>();
        for (var node : cluster.nodes()) {
            var reasons = new ArrayList<Reason>();
            if (!pod.spec().schedulingGates().isEmpty()) {
                reasons.add(
                        new Reason.Fault(
                                "the pod has scheduling gates " + pod.spec().schedulingGates(),
                                true));
            }
            reasons.addAll(hearing.objections(node));
            reasons.removeIf(matters.negate());
            if (!reasons.isEmpty()) {
                barred.put(node.name(), List.copyOf(reasons));
            }
        }
        return barred;
    }
}
