package dev.berth.core.utilisation;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.selector.SelectorCache;
import dev.berth.core.inventory.DeviceLocality;
import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.taint.Taints;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.SliceScope;
import dev.berth.model.quantity.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Lists the devices of each node with their state and holders.
public final class InventoryBuilder {

    private static final BigDecimal MEBIBYTE = BigDecimal.valueOf(1L << 20);
    private static final List<String> PRODUCT_IDS =
            List.of("productName", "product", "model", "modelName");
    private static final String MEMORY = "memory";

    private final ClusterInventory inventory;
    private final Ledger ledger;
    private final SelectorCache selectors;
    private final Map<DeviceId, List<DeviceEntry.Holder>> holders = new HashMap<>();
    private final Map<DeviceId, Set<String>> reach = new HashMap<>();
    private final Map<PoolId, BigInteger[]> left = new HashMap<>();

    private InventoryBuilder(ClusterSnapshot snapshot, Allocator allocator) {
        this.inventory = snapshot.inventory();
        this.ledger = snapshot.usage().ledger();
        this.selectors = allocator.selectors();
        ledger.claims().forEach(this::addHolders);
        for (var node : inventory.nodes()) {
            for (var pool : inventory.pools(node.name())) {
                for (var row = 0; row < pool.size(); row++) {
                    if (isReached(pool, row, node)) {
                        reach.computeIfAbsent(pool.device(row), _ -> new LinkedHashSet<>())
                                .add(node.name());
                    }
                }
            }
        }
    }

    /// Inventories of single nodes, sorted by name, then of devices that several nodes can access.
    public static List<NodeInventory> of(ClusterSnapshot snapshot, Allocator allocator) {
        return new InventoryBuilder(snapshot, allocator).build();
    }

    private void addHolders(ResourceClaim claim) {
        claim.status().allocation().stream()
                .flatMap(allocation -> allocation.devices().stream())
                .forEach(device -> {
                    var pods =
                            claim.status().reservedFor().stream()
                                    .map(ConsumerReference::name)
                                    .toList();
                    holders.computeIfAbsent(device.id(), _ -> new ArrayList<>())
                            .add(new DeviceEntry.Holder(claim.ref(), pods, device.isAdmin()));
                });
    }

    private static boolean isReached(PoolView pool, int row, Node node) {
        return !(pool.scope(row) instanceof SliceScope.PerDevice)
                || Pool.reaches(pool.traits(row).scope(), node);
    }

    private List<NodeInventory> build() {
        var all = new ArrayList<NodeInventory>();
        var common = new LinkedHashMap<Set<String>, Map<PoolId, PoolView>>();
        for (var node : inventory.nodes()) {
            var pools = new TreeMap<PoolId, PoolView>();
            inventory.pools(node.name()).forEach(pool -> pools.put(pool.id(), pool));
            all.add(of(pools, Set.of(node.name())));
            pools.forEach((id, pool) -> {
                for (var row = 0; row < pool.size(); row++) {
                    var nodes = reach.getOrDefault(pool.device(row), Set.of());
                    if (nodes.size() > 1) {
                        common.computeIfAbsent(nodes, _ -> new TreeMap<>()).put(id, pool);
                    }
                }
            });
        }
        common.forEach((nodes, pools) -> all.add(of(pools, nodes)));
        return all;
    }

    private NodeInventory of(Map<PoolId, PoolView> pools, Set<String> nodes) {
        var devices = new ArrayList<DeviceEntry>();
        var counters = new ArrayList<NodeInventory.CounterLeft>();
        var units = new ArrayList<NodeInventory.UnitShare>();
        var unusable = new ArrayList<NodeInventory.UnusablePool>();
        pools.forEach((id, pool) -> {
            var before = devices.size();
            for (var row = 0; pool.isUsable() && row < pool.size(); row++) {
                if (nodes.equals(reach.get(pool.device(row)))) {
                    devices.add(device(pool, row));
                }
            }
            if (devices.size() > before) {
                addCounters(pool, counters);
                addUnits(pool, units);
            }
            if (!pool.isUsable() && nodes.size() == 1) {
                unusable.add(new NodeInventory.UnusablePool(id, reason(pool.status())));
            }
        });
        var isAll = nodes.size() > 1 && nodes.size() == inventory.size();
        return new NodeInventory(List.copyOf(nodes), isAll, devices, counters, units, unusable);
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

    private DeviceEntry device(PoolView pool, int row) {
        var id = pool.device(row);
        var traits = pool.traits(row);
        var attributes = pool.attributes(row);
        var sets = pool.consumption(row).sets();
        return new DeviceEntry(
                id,
                DeviceLocality.of(attributes),
                state(pool, row),
                inUse(pool, row),
                holders.getOrDefault(id, List.of()),
                traits.taints().stream().map(Taints::format).toList(),
                traits.shareable() ? capacityLeft(pool, row) : List.of(),
                classes(pool, row),
                product(attributes),
                Optional.ofNullable(pool.capacities(row).get(MEMORY))
                        .map(capacity -> capacity.value().toString())
                        .orElse(""),
                sets.length == 0 ? "" : new DeviceRow(pool, row).profile(),
                sets.length == 0 ? "" : pool.counters().setName(sets[0]));
    }

    private DeviceEntry.State state(PoolView pool, int row) {
        var id = pool.device(row);
        var held = ledger.poolHoldings(pool.id()).holdings();
        if (held.exclusive().contains(id)) {
            return DeviceEntry.State.IN_USE;
        }
        if (held.shares().stream().anyMatch(share -> share.device().equals(id))) {
            return DeviceEntry.State.SHARED;
        }
        if (Taints.untolerated(pool.traits(row).taints(), List.of()).isPresent()) {
            return DeviceEntry.State.TAINTED;
        }
        return lacksCounters(pool, row) ? DeviceEntry.State.BLOCKED : DeviceEntry.State.FREE;
    }

    private double inUse(PoolView pool, int row) {
        var held = ledger.poolHoldings(pool.id()).holdings();
        var id = pool.device(row);
        if (held.exclusive().contains(id)) {
            return 1;
        }
        var most = 0.0;
        for (var consumed : held.consumed().getOrDefault(id, Map.of()).entrySet()) {
            var capacity = pool.capacities(row).get(consumed.getKey());
            if (capacity != null && capacity.value().signum() > 0) {
                var share =
                        consumed.getValue().asApproximateDouble()
                                / capacity.value().asApproximateDouble();
                most = Math.max(most, Math.min(1, share));
            }
        }
        return most;
    }

    private List<String> classes(PoolView pool, int row) {
        var matching = new TreeSet<String>();
        for (var one : inventory.classes().values()) {
            var match = selectors.of(one, List.of()).match(pool.slice(row));
            if (match.matches(pool.rowInSlice(row))) {
                matching.add(one.metadata().name());
            }
        }
        return List.copyOf(matching);
    }

    private static String product(Map<String, AttributeValue> attributes) {
        for (var id : PRODUCT_IDS) {
            for (var entry : attributes.entrySet()) {
                var name = entry.getKey();
                if (name.substring(name.indexOf('/') + 1).equals(id)
                        && entry.getValue() instanceof AttributeValue.StringValue(var text)) {
                    return text;
                }
            }
        }
        return "";
    }

    private List<DeviceEntry.CapacityLeft> capacityLeft(PoolView pool, int row) {
        var held = ledger.poolHoldings(pool.id()).holdings();
        var consumed = held.consumed().getOrDefault(pool.device(row), Map.of());
        var all = new ArrayList<DeviceEntry.CapacityLeft>();
        new TreeMap<>(pool.capacities(row))
                .forEach((name, capacity) -> {
                    var rest = capacity.value().minus(consumed.getOrDefault(name, Quantity.ZERO));
                    all.add(
                            new DeviceEntry.CapacityLeft(
                                    name, rest.toString(), capacity.value().toString()));
                });
        return all;
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
        return left.computeIfAbsent(
                pool.id(),
                id -> pool.countersLeft(ledger.poolHoldings(id).holdings().devicesOf(id)));
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

    private void addUnits(PoolView pool, List<NodeInventory.UnitShare> units) {
        if (pool.counters().size() == 0) {
            return;
        }
        var rows = new ArrayList<DeviceRow>();
        for (var row = 0; row < pool.size(); row++) {
            rows.add(new DeviceRow(pool, row));
        }
        var shape = PoolShape.of(rows, pool.counters(), component -> component);
        var use = PoolUse.of(shape, ledger.poolHoldings(pool.id()), pool::row);
        for (var set = 0; set < pool.counters().setCount(); set++) {
            var unit = shape.unitOfSet(set);
            if (unit >= 0) {
                units.add(
                        new NodeInventory.UnitShare(
                                pool.id(), pool.counters().setName(set), use.inUse(unit)));
            }
        }
    }
}
