package dev.berth.app.scenario;

import dev.berth.drivers.sim.FleetPlan;
import dev.berth.model.api.slice.PoolId;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// Nodes and pools that must exist before scenarios start.
///
/// @param nodes nodes that must be ready
/// @param pools pools that must be published
public record ScenarioPreconditions(Set<String> nodes, Set<PoolId> pools) {

    public ScenarioPreconditions {
        nodes = Set.copyOf(nodes);
        pools = Set.copyOf(pools);
    }

    /// All nodes and pools of a simulated fleet.
    public static ScenarioPreconditions of(FleetPlan plan) {
        var nodes = new LinkedHashSet<String>();
        var pools = new LinkedHashSet<PoolId>();
        for (var node : plan.nodes()) {
            nodes.add(node.name());
            node.pools().forEach(pool -> pools.add(pool.id()));
        }
        plan.sharedPools().forEach(pool -> pools.add(pool.id()));
        return new ScenarioPreconditions(nodes, pools);
    }

    Optional<String> missing(NamespaceView view) {
        for (var name : nodes) {
            var isReady =
                    view.nodes().stream()
                            .filter(node -> node.name().equals(name))
                            .flatMap(node -> node.status().conditions().stream())
                            .anyMatch(one -> one.type().equals("Ready") && one.isTrue());
            if (!isReady) {
                return Optional.of("node " + name);
            }
        }
        for (var pool : pools) {
            var slices = view.slices().stream().filter(one -> one.poolId().equals(pool)).toList();
            if (slices.isEmpty()
                    || slices.size() < slices.getFirst().spec().pool().resourceSliceCount()) {
                return Optional.of("pool " + pool);
            }
        }
        return Optional.empty();
    }
}
