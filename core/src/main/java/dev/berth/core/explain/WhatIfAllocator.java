package dev.berth.core.explain;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorResponse;
import dev.berth.core.allocate.SearchPolicy;
import dev.berth.core.inventory.PoolView;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// Asks the allocator about a situation and variations of it, so that nothing is said that was not
/// tried. Asks a bounded number of times; after that every answer is "undecided".
///
/// A question costs what its node sees: holders are found by pool, and pools are built once for
/// each set of slices that is asked about.
final class WhatIfAllocator {

    /// Half a second or so, when nodes have a dozen devices.
    private static final int MAX_ASKS = 5_000;

    /// Nobody sees the shares that are tried out here.
    private static final String NO_SHARE = "00000000-0000-4000-8000-000000000000";

    private final Allocator allocator;
    private final PoolViews base;
    private PoolViews variation;
    private HoldersByPool holders;
    private List<Node> order;
    private int asks;
    private boolean isGivenUp;

    WhatIfAllocator(Allocator allocator, ExplainInputs situation) {
        this.allocator = allocator;
        this.base = new PoolViews(situation);
        this.variation = base;
        this.holders = new HoldersByPool(situation.holders());
        this.order = situation.nodes();
    }

    /// Nodes to be tried, those first where least is missing.
    void prefer(List<Node> nodes) {
        order = List.copyOf(nodes);
    }

    /// The pools that a node sees, by id.
    List<PoolView> seenFrom(Node node) {
        return base.seenFrom(node);
    }

    /// The answer, with what was let pass that Kubernetes would not.
    AllocatorResponse reply(ExplainInputs situation, Node node) {
        if (asks++ >= MAX_ASKS + situation.nodes().size()) {
            isGivenUp = true;
            return new AllocatorResponse(new AllocationOutcome.Undecided(0), List.of());
        }
        if (!variation.isOf(situation)) {
            variation = base.isOf(situation) ? base : new PoolViews(situation);
        }
        if (!holders.isOf(situation.holders())) {
            holders = new HoldersByPool(situation.holders());
        }
        var pools = variation.seenFrom(node);
        var classes = new LinkedHashMap<String, DeviceClass>();
        situation.classes().forEach(c -> classes.put(c.metadata().name(), c));
        var claims = situation.claims(node.name());
        return claims.isEmpty()
                ? new AllocatorResponse(new AllocationOutcome.Allocated(List.of(), 0), List.of())
                : allocator.allocateWithReport(
                        node,
                        pools,
                        classes,
                        situation.features(),
                        holders.of(pools),
                        claims,
                        SearchPolicy.KUBERNETES,
                        () -> NO_SHARE);
    }

    AllocationOutcome answer(ExplainInputs situation, Node node) {
        return reply(situation, node).outcome();
    }

    boolean fitsOn(ExplainInputs situation, Node node) {
        return answer(situation, node) instanceof AllocationOutcome.Allocated;
    }

    /// The first node that the pod may use and where its claims fit.
    Optional<Node> fits(ExplainInputs situation) {
        return fits(situation, order);
    }

    Optional<Node> fits(ExplainInputs situation, List<Node> nodes) {
        for (var node : nodes) {
            if (!situation.barred().containsKey(node.name()) && fitsOn(situation, node)) {
                return Optional.of(node);
            }
        }
        return Optional.empty();
    }

    boolean isExhausted() {
        return isGivenUp;
    }
}
