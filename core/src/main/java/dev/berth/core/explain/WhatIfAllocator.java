package dev.berth.core.explain;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorResponse;
import dev.berth.core.allocate.DeviceOrder;
import dev.berth.core.allocate.NodeAllocationRequest;
import dev.berth.core.inventory.PoolView;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Runs the allocator on the inputs and on variations of them, so that every statement of an
/// explanation is verified. The number of calls is bounded; after that every outcome is undecided.
///
/// The cost of a call depends on the node's pools only: holders are indexed by pool, and pools are
/// built once per list of slices.
final class WhatIfAllocator {

    /// About half a second, when nodes have a dozen devices.
    private static final int MAX_CALLS = 5_000;

    /// Share id of trial allocations, which are never stored.
    private static final String NO_SHARE = "00000000-0000-4000-8000-000000000000";

    private final Allocator allocator;
    private final PoolViews base;
    private PoolViews variation;
    private HoldersByPool holders;
    private List<Node> order;
    private int calls;
    private boolean isExhausted;

    WhatIfAllocator(Allocator allocator, ExplainInputs inputs) {
        this.allocator = allocator;
        this.base = new PoolViews(inputs);
        this.variation = base;
        this.holders = new HoldersByPool(inputs.holders());
        this.order = inputs.nodes();
    }

    /// Sets the nodes to try, nodes with the fewest missing devices first.
    void prefer(List<Node> nodes) {
        order = List.copyOf(nodes);
    }

    /// The pools that are visible from a node, ordered by id.
    List<PoolView> visibleFrom(Node node) {
        return base.visibleFrom(node);
    }

    /// The allocator's outcome, with the errors that were tolerated here and are fatal in
    /// Kubernetes.
    public AllocatorResponse allocate(ExplainInputs inputs, Node node) {
        return allocate(inputs, node, Set.of());
    }

    /// @param released claims whose devices are free; their other effects stay
    private AllocatorResponse allocate(ExplainInputs inputs, Node node, Set<ObjectRef> released) {
        if (calls++ >= MAX_CALLS + inputs.nodes().size()) {
            isExhausted = true;
            return new AllocatorResponse(new AllocationOutcome.Undecided(0), List.of());
        }
        if (!variation.isOf(inputs)) {
            variation = base.isOf(inputs) ? base : new PoolViews(inputs);
        }
        if (!holders.isOf(inputs.holders())) {
            holders = new HoldersByPool(inputs.holders());
        }
        var pools = variation.visibleFrom(node);
        var classes = new LinkedHashMap<String, DeviceClass>();
        inputs.classes().forEach(c -> classes.put(c.metadata().name(), c));
        var claims = inputs.claims(node.name());
        if (claims.isEmpty()) {
            return new AllocatorResponse(new AllocationOutcome.Allocated(List.of(), 0), List.of());
        }
        var request =
                new NodeAllocationRequest(
                        node,
                        pools,
                        classes,
                        inputs.features(),
                        holders.of(pools, released),
                        claims,
                        DeviceOrder.FIRST,
                        true);
        return allocator.allocate(request, () -> NO_SHARE);
    }

    AllocationOutcome outcome(ExplainInputs inputs, Node node) {
        return allocate(inputs, node).outcome();
    }

    boolean fitsOn(ExplainInputs inputs, Node node) {
        return outcome(inputs, node) instanceof AllocationOutcome.Allocated;
    }

    /// Whether the claims fit on a node once other claims are released. Unlike inputs without these
    /// claims, this needs no index of the holders of the whole cluster.
    boolean fitsWithout(ExplainInputs inputs, Node node, Collection<ObjectRef> released) {
        return allocate(inputs, node, Set.copyOf(released)).outcome()
                instanceof AllocationOutcome.Allocated;
    }

    /// The first node without rejections where the claims fit.
    Optional<Node> fits(ExplainInputs inputs) {
        return fits(inputs, order);
    }

    Optional<Node> fits(ExplainInputs inputs, List<Node> nodes) {
        for (var node : nodes) {
            if (!inputs.rejections().containsKey(node.name()) && fitsOn(inputs, node)) {
                return Optional.of(node);
            }
        }
        return Optional.empty();
    }

    boolean isExhausted() {
        return isExhausted;
    }
}
