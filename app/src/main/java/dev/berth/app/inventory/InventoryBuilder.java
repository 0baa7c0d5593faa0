package dev.berth.app.inventory;

import dev.berth.core.inventory.DeviceLocality;
import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Holdings;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.taint.Taints;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.SliceScope;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.quantity.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Builds the inventory of each node: devices, their state and their holders.
final class InventoryBuilder {

    private static final BigDecimal MEBIBYTE = BigDecimal.valueOf(1L << 20);

    private final ClusterInventory fleet;
    private final Holdings holdings;
    private final Map<DeviceId, List<String>> holders = new HashMap<>();
    private final Map<DeviceId, Set<String>> reach = new HashMap<>();
    private final Map<PoolId, BigInteger[]> left = new HashMap<>();

    InventoryBuilder(ClusterInventory fleet, List<ResourceClaim> claims) {
        this.fleet = fleet;
        this.holdings = Holdings.of(claims);
        for (var claim : claims) {
            claim.status().allocation().stream()
                    .flatMap(got -> got.devices().stream())
                    .forEach(device ->
                            holders.computeIfAbsent(device.id(), _ -> new ArrayList<>())
                                    .add(claim.ref() + (device.isAdmin() ? " (admin)" : "")));
        }
        for (var node : fleet.nodes()) {
            for (var pool : fleet.pools(node.name())) {
                for (var row = 0; row < pool.size(); row++) {
                    if (isReached(pool, row, node)) {
                        reach.computeIfAbsent(pool.device(row), _ -> new LinkedHashSet<>())
                                .add(node.name());
                    }
                }
            }
        }
    }

    private static boolean isReached(PoolView pool, int row, Node node) {
        return !(pool.scope(row) instanceof SliceScope.PerDevice)
                || Pool.reaches(pool.traits(row).scope(), node);
    }

    /// Inventories of single nodes, sorted by name, then of devices that several nodes share.
    List<NodeInventory> take() {
        var stocks = new ArrayList<NodeInventory>();
        var common = new LinkedHashMap<Set<String>, Map<PoolId, PoolView>>();
        for (var node : fleet.nodes()) {
            var pools = new TreeMap<PoolId, PoolView>();
            fleet.pools(node.name()).forEach(pool -> pools.put(pool.id(), pool));
            stocks.add(stock(node.name(), pools, Set.of(node.name())));
            pools.forEach((id, pool) -> {
                for (var row = 0; row < pool.size(); row++) {
                    var nodes = reach.getOrDefault(pool.device(row), Set.of());
                    if (nodes.size() > 1) {
                        common.computeIfAbsent(nodes, _ -> new TreeMap<>()).put(id, pool);
                    }
                }
            });
        }
        common.forEach((nodes, pools) -> stocks.add(stock(title(nodes), pools, nodes)));
        return stocks;
    }

    private String title(Set<String> nodes) {
        return nodes.size() == fleet.nodes().size()
                ? "all nodes"
                : "nodes " + String.join(", ", nodes);
    }

    private NodeInventory stock(String title, Map<PoolId, PoolView> pools, Set<String> nodes) {
        var items = new ArrayList<NodeInventory.Item>();
        var counters = new ArrayList<NodeInventory.CounterLeft>();
        var unusable = new ArrayList<NodeInventory.Unusable>();
        pools.forEach((id, pool) -> {
            var before = items.size();
            for (var row = 0; pool.isUsable() && row < pool.size(); row++) {
                if (nodes.equals(reach.get(pool.device(row)))) {
                    items.add(item(pool, row));
                }
            }
            if (items.size() > before) {
                addCounters(pool, counters);
            }
            if (!pool.isUsable() && nodes.size() == 1) {
                unusable.add(new NodeInventory.Unusable(id, reason(pool.status())));
            }
        });
        return new NodeInventory(title, items, counters, unusable);
    }

    private static String reason(PoolView.Status status) {
        return switch (status) {
            case PoolView.Status.Complete _ -> "";
            case PoolView.Status.Incomplete(var present, var expected) ->
                    "incomplete: %d of %d slices exist".formatted(present, expected);
            case PoolView.Status.Malformed(var reason) -> reason;
            case PoolView.Status.Invalid(var reason) -> "invalid: " + reason;
        };
    }

    private NodeInventory.Item item(PoolView pool, int row) {
        var id = pool.device(row);
        var traits = pool.traits(row);
        var shares = holdings.shares().stream().anyMatch(share -> share.device().equals(id));
        var taint = Taints.untolerated(traits.taints(), List.of());
        var state =
                holdings.exclusive().contains(id)
                        ? NodeInventory.State.IN_USE
                        : shares
                                ? NodeInventory.State.SHARED
                                : taint.isPresent()
                                        ? NodeInventory.State.TAINTED
                                        : lacksCounters(pool, row)
                                                ? NodeInventory.State.NO_COUNTERS
                                                : NodeInventory.State.FREE;
        return new NodeInventory.Item(
                id,
                DeviceLocality.of(pool.attributes(row)),
                state,
                holders.getOrDefault(id, List.of()),
                traits.taints().stream().map(InventoryBuilder::shown).toList(),
                traits.shareable() ? capacityLeft(pool, row) : List.of());
    }

    private static String shown(DeviceTaint taint) {
        var value = taint.value().isEmpty() ? "" : "=" + taint.value();
        return taint.key() + value + ":" + taint.effect().text();
    }

    private List<NodeInventory.CapacityLeft> capacityLeft(PoolView pool, int row) {
        var consumed = holdings.consumed().getOrDefault(pool.device(row), Map.of());
        var left = new ArrayList<NodeInventory.CapacityLeft>();
        new TreeMap<>(pool.capacities(row))
                .forEach((name, capacity) -> {
                    var rest = capacity.value().minus(consumed.getOrDefault(name, Quantity.ZERO));
                    left.add(
                            new NodeInventory.CapacityLeft(
                                    name, rest.toString(), capacity.value().toString()));
                });
        return left;
    }

    private boolean lacksCounters(PoolView pool, int row) {
        var consumption = pool.consumption(row);
        var rest = left(pool);
        for (var i = 0; i < consumption.counters().length; i++) {
            if (consumption.exactAmounts()[i].compareTo(rest[consumption.counters()[i]]) > 0) {
                return true;
            }
        }
        return false;
    }

    /// The remaining counter values; each held device is counted once.
    private BigInteger[] left(PoolView pool) {
        return left.computeIfAbsent(pool.id(), id -> pool.countersLeft(holdings.devicesOf(id)));
    }

    /// Formats a counter value. Counters do not keep their unit, so multiples of one mebibyte are
    /// shown as memory.
    private static String shown(Quantity amount) {
        var isMemory = amount.signum() != 0 && amount.amount().remainder(MEBIBYTE).signum() == 0;
        return isMemory
                ? Quantity.of(amount.amount(), Quantity.Notation.BINARY).toString()
                : amount.toString();
    }

    private void addCounters(PoolView pool, List<NodeInventory.CounterLeft> counters) {
        var rest = left(pool);
        for (var i = 0; i < rest.length; i++) {
            counters.add(
                    new NodeInventory.CounterLeft(
                            pool.id(),
                            pool.counters().counterName(i),
                            shown(pool.counters().quantity(i, rest[i])),
                            shown(pool.counters().quantity(i, pool.counters().total(i)))));
        }
    }
}
