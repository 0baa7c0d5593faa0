package dev.berth.core.explain;

import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.model.api.Node;
import dev.berth.model.api.ResourceSlice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The pools of some slices, as nodes see them.
final class PoolViews {

    private final List<ResourceSlice> slices;
    private final List<Pool> everywhere = new ArrayList<>();
    private final Map<String, List<Pool>> byNode = new HashMap<>();
    private final Map<String, List<PoolView>> known = new HashMap<>();

    PoolViews(ExplainInputs situation) {
        this.slices = situation.slices();
        for (var pool : Pool.all(slices, AllocatorFeature.rules(situation.features()))) {
            pool.onlyNode()
                    .map(node -> byNode.computeIfAbsent(node, _ -> new ArrayList<>()))
                    .orElse(everywhere)
                    .add(pool);
        }
    }

    /// True when these are the pools of the situation. Variations share the lists that they do not
    /// change.
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(ExplainInputs situation) {
        return situation.slices() == slices;
    }

    /// The pools that a node sees, by id.
    List<PoolView> seenFrom(Node node) {
        return known.computeIfAbsent(
                node.name(),
                name -> {
                    var pools = new ArrayList<>(everywhere);
                    pools.addAll(byNode.getOrDefault(name, List.of()));
                    return pools.stream()
                            .sorted((a, b) -> a.id().compareTo(b.id()))
                            .flatMap(pool -> pool.viewFrom(node).stream())
                            .toList();
                });
    }
}
