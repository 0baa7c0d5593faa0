package dev.berth.core.utilisation;

import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.PoolHoldings;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Remaining counters of a pool with holders. Computed on first use.
final class RemainingCounters {

    private final PoolView view;
    private final PoolShape shape;
    private final PoolHoldings holdings;
    private List<Optional<CounterComponent.Remaining>> remaining = List.of();

    RemainingCounters(PoolView view, PoolShape shape, PoolHoldings holdings) {
        this.view = view;
        this.shape = shape;
        this.holdings = holdings;
    }

    /// Remaining amounts of a component of the shape. Empty while the pool has an overdrawn
    /// counter, which blocks all devices of the pool that consume counters.
    Optional<CounterComponent.Remaining> of(int component) {
        if (remaining.isEmpty()) {
            remaining = compute();
        }
        return remaining.get(component);
    }

    private List<Optional<CounterComponent.Remaining>> compute() {
        var held = holdings.holdings().devicesOf(view.id());
        var left = view.countersLeft(held);
        var isOverdrawn = Arrays.stream(left).anyMatch(amount -> amount.signum() < 0);
        var members = new HashMap<Integer, List<String>>();
        for (var device : held) {
            for (var consumption : view.consumptionsOf(device)) {
                for (var i = 0; i < consumption.sets().length; i++) {
                    members.merge(
                            consumption.sets()[i],
                            consumption.groups().get(i),
                            PartitionPacking::joined);
                }
            }
        }
        var all = new ArrayList<Optional<CounterComponent.Remaining>>();
        for (var component : shape.components()) {
            all.add(
                    isOverdrawn
                            ? Optional.empty()
                            : Optional.of(remaining(component, left, members)));
        }
        return all;
    }

    private static CounterComponent.Remaining remaining(
            PoolShape.Component component, BigInteger[] left, Map<Integer, List<String>> members) {
        var own = new HashMap<Integer, List<String>>();
        for (var i = 0; i < component.sets().size(); i++) {
            var groups = members.get(component.sets().get(i));
            if (groups != null) {
                own.put(i, groups);
            }
        }
        return new CounterComponent.Remaining(
                component.counters().stream()
                        .map(counter -> PoolShape.bounded(left[counter]))
                        .toList(),
                own);
    }
}
