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

/// Evaluates pods on an inventory: node filters first, then device allocation for claims without
/// devices.
public final class PodPlacer {

    private final ClusterInventory inventory;
    private final ClusterContext context;
    private final Allocator allocator;
    private final Set<AllocatorFeature> features;
    private final SearchPolicy policy;
    private final Supplier<String> shareIds;

    /// A placer for one inventory.
    ///
    /// @param shareIds generates a new share ID per call
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

    /// Starts the evaluation of a request.
    public PodEvaluation evaluation(PlacementRequest request, ClusterUsage state) {
        return new PodEvaluation(this, request, state);
    }

    /// Evaluates a request on all nodes, in the order of node names.
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

    /// A value that changes whenever the usage of the node or of its pools changes.
    public Object stamp(Node node, ClusterUsage state) {
        return state.stamp(node.name(), inventory.pools(node.name()));
    }

    /// The chosen node; empty when none fits, or when an error rules out all nodes.
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

    /// @param allocations allocations of the pod's claims on a node
    <C extends NodeScoring.Candidate> NodeScoring<C> scoring(
            PlacementRequest request,
            ClusterUsage state,
            Function<C, List<NodeFit.ClaimAllocation>> allocations) {
        var namespaces = context.namespaces();
        return new NodeScoring<>(inventory, namespaces, request, state, policy, allocations);
    }
}
