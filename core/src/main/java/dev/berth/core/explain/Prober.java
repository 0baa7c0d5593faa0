package dev.berth.core.explain;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.allocate.Answer;
import dev.berth.core.inventory.Interner;
import dev.berth.core.inventory.NodePool;
import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.SliceTable;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.Node;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ResourceSlice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Asks the allocator about a situation and variations of it, so that nothing is said that was not
/// tried. Asks a bounded number of times; after that every answer is "undecided".
final class Prober {

    /// A second or so in a large cluster.
    private static final int MAX_ASKS = 20_000;

    /// Nobody sees the shares that are tried out here.
    private static final String NO_SHARE = "00000000-0000-4000-8000-000000000000";

    private final Allocator allocator;
    private final List<ResourceSlice> slices;
    private final Map<String, List<NodePool>> known = new HashMap<>();
    private final List<Pool> everywhere = new ArrayList<>();
    private final Map<String, List<Pool>> byNode = new HashMap<>();
    private List<Node> order;
    private int asks;

    Prober(Allocator allocator, Situation situation) {
        this.allocator = allocator;
        this.slices = situation.slices();
        this.order = situation.nodes();
        for (var pool : pools(situation)) {
            pool.onlyNode()
                    .map(node -> byNode.computeIfAbsent(node, _ -> new ArrayList<>()))
                    .orElse(everywhere)
                    .add(pool);
        }
    }

    private static List<Pool> pools(Situation situation) {
        var interner = new Interner();
        var tables = new LinkedHashMap<PoolId, List<SliceTable>>();
        for (var slice : situation.slices()) {
            tables.computeIfAbsent(slice.poolId(), _ -> new ArrayList<>())
                    .add(SliceTable.of(slice, interner));
        }
        var rules =
                new Pool.Rules(
                        situation.features().contains(AllocatorFeature.PARTITIONABLE_DEVICES),
                        situation.features().contains(AllocatorFeature.COMPATIBILITY_GROUPS));
        var pools = new ArrayList<Pool>();
        tables.forEach((id, ofPool) -> pools.add(Pool.of(id, ofPool, rules, interner)));
        return pools;
    }

    /// Nodes to be tried first, because least is missing there.
    void prefer(List<Node> nodes) {
        order = List.copyOf(nodes);
    }

    /// The pools that a node sees, by id.
    List<NodePool> seenFrom(Node node) {
        return known.computeIfAbsent(
                node.name(),
                name -> {
                    var pools = new ArrayList<>(everywhere);
                    pools.addAll(byNode.getOrDefault(name, List.of()));
                    return seen(pools, node);
                });
    }

    private static List<NodePool> seen(List<Pool> pools, Node node) {
        return pools.stream()
                .sorted((a, b) -> a.id().compareTo(b.id()))
                .flatMap(pool -> pool.seenFrom(node).stream())
                .toList();
    }

    Answer answer(Situation situation, Node node) {
        return answer(situation, node, Holdings.of(situation.holders()));
    }

    private Answer answer(Situation situation, Node node, Holdings holdings) {
        if (asks++ >= MAX_ASKS) {
            return new Answer.Undecided(0);
        }
        var classes = new LinkedHashMap<String, DeviceClass>();
        situation.classes().forEach(c -> classes.put(c.metadata().name(), c));
        var pools =
                situation.slices().equals(slices) ? seenFrom(node) : seen(pools(situation), node);
        return allocator.answer(
                node,
                pools,
                classes,
                situation.features(),
                holdings,
                situation.claims(),
                () -> NO_SHARE);
    }

    boolean fitsOn(Situation situation, Node node) {
        return answer(situation, node) instanceof Answer.Allocated;
    }

    /// The first node that the pod may use and where its claims fit.
    Optional<Node> fits(Situation situation) {
        var holdings = Holdings.of(situation.holders());
        for (var node : order) {
            if (!situation.barred().containsKey(node.name())
                    && answer(situation, node, holdings) instanceof Answer.Allocated) {
                return Optional.of(node);
            }
        }
        return Optional.empty();
    }

    boolean isExhausted() {
        return asks >= MAX_ASKS;
    }
}
