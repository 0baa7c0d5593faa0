package dev.berth.core.utilisation;

import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.DeviceScope;
import dev.berth.model.api.slice.SliceScope;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The devices of one pool that nodes can use, and the nodes that can access each of them.
///
/// Nodes may see different slices of a pool. The views of the newest generation are merged; a
/// device that several nodes see counts once.
final class PoolAccess {

    /// A view of the pool and the numbers of the nodes that have it.
    record ViewNodes(PoolView view, BitSet nodes) {}

    private final List<ViewNodes> views;
    private final List<DeviceRow> rows = new ArrayList<>();
    private final List<BitSet> reach = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();

    /// @param views usable views, at least one
    /// @param nodes all nodes of the cluster
    PoolAccess(List<ViewNodes> views, List<Node> nodes) {
        var newest = views.stream().mapToLong(one -> one.view.generation()).max().orElse(0);
        this.views = views.stream().filter(one -> one.view.generation() == newest).toList();
        this.views.forEach(one -> add(one, nodes));
    }

    private void add(ViewNodes one, List<Node> nodes) {
        var scopes = new HashMap<DeviceScope, BitSet>();
        var view = one.view;
        for (var row = 0; row < view.size(); row++) {
            var own =
                    view.scope(row) instanceof SliceScope.PerDevice
                            ? scopes.computeIfAbsent(
                                    view.traits(row).scope(), scope -> reached(scope, one, nodes))
                            : one.nodes;
            if (own.isEmpty()) {
                continue;
            }
            var number = numbers.putIfAbsent(view.deviceName(row), rows.size());
            if (number == null) {
                rows.add(new DeviceRow(view, row));
                reach.add(own);
            } else {
                var both = (BitSet) reach.get(number).clone();
                both.or(own);
                reach.set(number, both);
            }
        }
    }

    private static BitSet reached(DeviceScope scope, ViewNodes one, List<Node> nodes) {
        var reached = new BitSet();
        one.nodes.stream()
                .filter(number -> Pool.reaches(scope, nodes.get(number)))
                .forEach(reached::set);
        return reached;
    }

    List<DeviceRow> rows() {
        return rows;
    }

    /// The numbers of the nodes that can access a device.
    BitSet reach(int row) {
        return reach.get(row);
    }

    Optional<Integer> row(String device) {
        return Optional.ofNullable(numbers.get(device));
    }

    /// Whether all nodes see the same slices, and each device of them.
    boolean isSingleView() {
        return views.size() == 1 && rows.size() == view().size();
    }

    /// A view with the counters of the pool.
    PoolView view() {
        return views.getFirst().view;
    }
}
