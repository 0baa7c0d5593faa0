package dev.berth.core.explain;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.ResourceSlice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The pools of a list of slices, as visible from each node.
final class PoolViews {

    private final List<ResourceSlice> slices;
    private final List<Pool> onAllNodes = new ArrayList<>();
    private final Map<String, List<Pool>> byNode = new HashMap<>();
    private final Map<String, List<PoolView>> viewsByNode = new HashMap<>();

    PoolViews(ExplainInputs inputs) {
        this.slices = inputs.slices();
        for (var pool : Pool.all(slices, AllocatorFeature.rules(inputs.features()))) {
            pool.onlyNode()
                    .map(node -> byNode.computeIfAbsent(node, _ -> new ArrayList<>()))
                    .orElse(onAllNodes)
                    .add(pool);
        }
    }

    /// Whether these pools were built from the slices of the inputs. Variations share the lists
    /// that they do not change.
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(ExplainInputs inputs) {
        return inputs.slices() == slices;
    }

    /// The pools that are visible from a node, ordered by id.
    List<PoolView> visibleFrom(Node node) {
        return viewsByNode.computeIfAbsent(
                node.name(),
                name -> {
                    var pools = new ArrayList<>(onAllNodes);
                    pools.addAll(byNode.getOrDefault(name, List.of()));
                    return pools.stream()
                            .sorted((a, b) -> a.id().compareTo(b.id()))
                            .flatMap(pool -> pool.viewFrom(node).stream())
                            .toList();
                });
    }
}
