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

    private final ClusterInventory inventory;
    private final ClusterContext context;
    private final Allocator allocator;
    private final Set<AllocatorFeature> features;
    private final SearchPolicy policy;
    private final Supplier<String> shareIds;

    /// Places pods on a fleet.
    ///
    /// @param shareIds a fresh id a call, for shares of devices
    public PodPlacer(
            ClusterInventory inventory,
            ClusterContext context,
            Allocator allocator,
            Set<AllocatorFeature> features,
            SearchPolicy policy,
            Supplier<String> shareIds) {
        this.inventory = inventory;
        this.context = context;
        this.allocator = allocator;
        this.features = Set.copyOf(features);
        this.policy = policy;
        this.shareIds = shareIds;
    }

    public ClusterInventory inventory() {
        return inventory;
    }

    ClusterContext context() {
        return context;
    }

    public ExtendedResources extended() {
        return inventory.extended();
    }

    /// Begins to ask about a pod.
    public PodEvaluation evaluation(PlacementRequest request, ClusterUsage state) {
        return new PodEvaluation(this, request, state);
    }

    /// What every node means for the pod, by name of the node.
    public List<NodeFit> evaluate(PlacementRequest request, ClusterUsage state) {
        var evaluation = evaluation(request, state);
        var perNode = new ArrayList<NodeFit>();
        for (var node : inventory.nodes()) {
            perNode.add(evaluation.fit(node));
        }
        return perNode;
    }

    AllocatorResponse reply(Node node, List<ResourceClaim> toAllocate, ClusterUsage state) {
        var seen = inventory.pools(node.name());
        return allocator.allocateWithReport(
                node,
                seen,
                inventory.classes(),
                features,
                state.holdings(seen),
                toAllocate,
                policy,
                shareIds);
    }

    /// A value that is another whenever something changes that a node and its pools can tell.
    public Object stamp(Node node, ClusterUsage state) {
        return state.stamp(node.name(), inventory.pools(node.name()));
    }

    /// The node to take; empty when none fits, or when a fault keeps the pod from being placed
    /// anywhere.
    public Optional<NodeFit.Fits> choose(
            PlacementRequest request, List<NodeFit> perNode, ClusterUsage state) {
        var resourceScore = NodeResourcesScore.of(request.pod());
        var fitting = new ArrayList<ScoredFit>();
        for (var fit : perNode) {
            switch (fit) {
                case NodeFit.Fits fits -> fitting.add(scored(fits, resourceScore, state));
                case NodeFit.Rejected(_, Rejection.Fault fault) when fault.everywhere() -> {
                    return Optional.empty();
                }
                case NodeFit.Rejected _ -> {}
            }
        }
        return this.<ScoredFit>scoring(request, state, scored -> scored.fits.allocations())
                .best(fitting)
                .map(ScoredFit::fits);
    }

    private record ScoredFit(NodeFit.Fits fits, Node node, long resourceScore)
            implements NodeScoring.Candidate {}

    private ScoredFit scored(
            NodeFit.Fits fits, NodeResourcesScore resourceScore, ClusterUsage state) {
        var node = inventory.node(fits.node()).orElseThrow();
        return new ScoredFit(fits, node, resourceScore.score(node, state.nodeUsage(node.name())));
    }

    /// @param given what the claims of the pod would get on a node
    <C extends NodeScoring.Candidate> NodeScoring<C> scoring(
            PlacementRequest request,
            ClusterUsage state,
            Function<C, List<NodeFit.ClaimAllocation>> allocations) {
        var namespaces = context.namespaces();
        return new NodeScoring<>(inventory, namespaces, request, state, policy, allocations);
    }
}
