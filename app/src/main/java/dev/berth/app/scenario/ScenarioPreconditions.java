package dev.berth.app.scenario;

import dev.berth.drivers.sim.FleetPlan;
import dev.berth.model.api.PoolId;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// What must be there before scenarios can begin.
///
/// @param nodes that are to be ready
/// @param pools that are to be published
public record ScenarioPreconditions(Set<String> nodes, Set<PoolId> pools) {

    public ScenarioPreconditions {
        nodes = Set.copyOf(nodes);
        pools = Set.copyOf(pools);
    }

    /// All of a simulated fleet.
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

    Optional<String> missing(NamespaceView sight) {
        for (var name : nodes) {
            var isReady =
                    sight.nodes().stream()
                            .filter(node -> node.name().equals(name))
                            .flatMap(node -> node.status().conditions().stream())
                            .anyMatch(one -> one.type().equals("Ready") && one.isTrue());
            if (!isReady) {
                return Optional.of("node " + name);
            }
        }
        for (var pool : pools) {
            var slices = sight.slices().stream().filter(one -> one.poolId().equals(pool)).toList();
            if (slices.isEmpty()
                    || slices.size() < slices.getFirst().spec().pool().resourceSliceCount()) {
                return Optional.of("pool " + pool);
            }
        }
        return Optional.empty();
    }
}
