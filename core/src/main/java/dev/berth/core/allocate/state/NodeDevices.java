package dev.berth.core.allocate.state;

import dev.berth.core.inventory.CounterConsumption;
import dev.berth.core.inventory.DeviceTraits;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.inventory.SliceTable;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.DeviceId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The devices accessible from one node, numbered in the search order of Kubernetes: pools without
/// binding conditions before pools with them, then by driver and pool name, slice, and position in
/// the slice.
///
/// Only usable pools have devices here; the others are kept for error messages.
public final class NodeDevices {

    private final Node node;
    private final boolean sharing;
    private final List<PoolView> all;
    private final List<PoolView> usable;
    private final int[] starts;
    private final int[] poolNumbers;
    private final int[] rows;
    private final int[] devices;
    private final @Nullable CounterConsumption[] consumptions; // filled on demand

    /// The devices of all pools, in the search order of Kubernetes.
    ///
    /// @param sharing whether consumable capacity is enabled, so that devices can be shared
    public NodeDevices(Node node, List<PoolView> accessible, boolean sharing) {
        this.node = node;
        this.sharing = sharing;
        this.all = ordered(accessible);
        this.usable = all.stream().filter(PoolView::isUsable).toList();
        this.starts = new int[usable.size() + 1];
        for (var i = 0; i < usable.size(); i++) {
            starts[i + 1] = starts[i] + usable.get(i).size();
        }
        this.poolNumbers = new int[starts[usable.size()]];
        this.consumptions = new CounterConsumption[poolNumbers.length];
        for (var i = 0; i < usable.size(); i++) {
            Arrays.fill(poolNumbers, starts[i], starts[i + 1], i);
        }
        this.rows = new int[poolNumbers.length];
        this.devices = new int[poolNumbers.length];
        Arrays.setAll(rows, device -> device - starts[poolNumbers[device]]);
        Arrays.setAll(devices, device -> device);
    }

    private NodeDevices(NodeDevices base, int[] order) {
        node = base.node;
        sharing = base.sharing;
        all = base.all;
        usable = base.usable;
        starts = base.starts;
        poolNumbers = new int[order.length];
        rows = new int[order.length];
        devices = new int[order.length];
        consumptions = new CounterConsumption[order.length];
        for (var device = 0; device < order.length; device++) {
            poolNumbers[device] = base.poolNumbers[order[device]];
            rows[device] = base.rows[order[device]];
            devices[starts[poolNumbers[device]] + rows[device]] = device;
            consumptions[device] = base.consumptions[order[device]];
        }
    }

    /// The same devices, numbered in another order.
    public NodeDevices inOrder(int[] order) {
        return new NodeDevices(this, order);
    }

    /// Pools in search order.
    public static List<PoolView> ordered(List<PoolView> accessible) {
        var pools = new ArrayList<>(accessible);
        pools.sort(
                Comparator.comparing(PoolView::hasBindingConditions).thenComparing(PoolView::id));
        return List.copyOf(pools);
    }

    public Node node() {
        return node;
    }

    /// All pools accessible from the node, including unusable ones.
    public List<PoolView> pools() {
        return all;
    }

    public List<PoolView> usablePools() {
        return usable;
    }

    /// The number of a device by its pool and its row there.
    public int device(int pool, int row) {
        return devices[starts[pool] + row];
    }

    public int size() {
        return poolNumbers.length;
    }

    public PoolView pool(int device) {
        return usable.get(poolNumbers[device]);
    }

    public int poolNumber(int device) {
        return poolNumbers[device];
    }

    public int row(int device) {
        return rows[device];
    }

    public DeviceTraits traits(int device) {
        return pool(device).traits(row(device));
    }

    public boolean isShareable(int device) {
        return sharing && traits(device).shareable();
    }

    /// Whether any device can be shared.
    public boolean hasShareable() {
        return sharing
                && usable.stream()
                        .flatMap(pool -> pool.slices().stream())
                        .anyMatch(SliceTable::hasShareable);
    }

    public CounterConsumption consumption(int device) {
        var cached = consumptions[device];
        var consumption = cached == null ? pool(device).consumption(row(device)) : cached;
        consumptions[device] = consumption;
        return consumption;
    }

    public DeviceId id(int device) {
        return pool(device).device(row(device));
    }
}
