package dev.berth.core.place;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.allocate.AllocatorResponse;
import dev.berth.core.allocate.SearchPolicy;
import dev.berth.model.api.Node;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/// Decides where a pod can go: first by what needs no devices, then by the devices for all claims
/// that have none yet.
public final class PodPlacer {

    private final ClusterInventory fleet;
    private final ClusterContext surroundings;
    private final Allocator allocator;
    private final Set<AllocatorFeature> features;
    private final SearchPolicy policy;
    private final Supplier<String> shareIds;

    /// Places pods on a fleet.
    ///
    /// @param shareIds a fresh id a call, for shares of devices
    public PodPlacer(
            ClusterInventory fleet,
            ClusterContext surroundings,
            Allocator allocator,
            Set<AllocatorFeature> features,
            SearchPolicy policy,
            Supplier<String> shareIds) {
        this.fleet = fleet;
        this.surroundings = surroundings;
        this.allocator = allocator;
        this.features = Set.copyOf(features);
        this.policy = policy;
        this.shareIds = shareIds;
    }

    public ClusterInventory fleet() {
        return fleet;
    }

    ClusterContext surroundings() {
        return surroundings;
    }

    public ExtendedResources extended() {
        return fleet.extended();
    }

    /// Begins to ask about a pod.
    public PodEvaluation hear(PlacementRequest question, ClusterUsage state) {
        return new PodEvaluation(this, question, state);
    }

    /// What every node means for the pod, by name of the node.
    public List<NodeFit> judge(PlacementRequest question, ClusterUsage state) {
        var hearing = hear(question, state);
        var verdicts = new ArrayList<NodeFit>();
        for (var node : fleet.nodes()) {
            verdicts.add(hearing.judge(node));
        }
        return verdicts;
    }

    AllocatorResponse reply(Node node, List<ResourceClaim> wanted, ClusterUsage state) {
        var seen = fleet.pools(node.name());
        return allocator.allocateWithReport(
                node,
                seen,
                fleet.classes(),
                features,
                state.holdings(seen),
                wanted,
                policy,
                shareIds);
    }

    /// A value that is another whenever something changes that a node and its pools can tell.
    public Object stamp(Node node, ClusterUsage state) {
        return state.stamp(node.name(), fleet.pools(node.name()));
    }

    /// The node to take; empty when none fits, or when a fault keeps the pod from being placed
    /// anywhere.
    public Optional<NodeFit.Fits> choose(
            PlacementRequest question, List<NodeFit> verdicts, ClusterUsage state) {
        var room = NodeResourcesScore.of(question.pod());
        var fitting = new ArrayList<Judged>();
        for (var verdict : verdicts) {
            switch (verdict) {
                case NodeFit.Fits fits -> fitting.add(judged(fits, room, state));
                case NodeFit.Unfit(_, Rejection.Fault fault) when fault.everywhere() -> {
                    return Optional.empty();
                }
                case NodeFit.Unfit _ -> {}
            }
        }
        return this.<Judged>preference(question, state, judged -> judged.fits.given())
                .best(fitting)
                .map(Judged::fits);
    }

    private record Judged(NodeFit.Fits fits, Node node, long room)
            implements NodeScoring.Candidate {}

    private Judged judged(NodeFit.Fits fits, NodeResourcesScore room, ClusterUsage state) {
        var node = fleet.node(fits.node()).orElseThrow();
        return new Judged(fits, node, room.score(node, state.use(node.name())));
    }

    /// @param given what the claims of the pod would get on a node
    <C extends NodeScoring.Candidate> NodeScoring<C> preference(
            PlacementRequest question, ClusterUsage state, Function<C, List<NodeFit.Given>> given) {
        var namespaces = surroundings.namespaces();
        return new NodeScoring<>(fleet, namespaces, question, state, policy, given);
    }
}
