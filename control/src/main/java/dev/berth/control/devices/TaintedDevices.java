package dev.berth.control.devices;

import dev.berth.client.cache.CacheIndex;
import dev.berth.client.cache.ObjectCache;
import dev.berth.core.lifecycle.PoolStatusReport;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Published taints by device, only of devices that have any.
final class TaintedDevices {

    private final ObjectCache<ResourceSlice> slices;
    private final CacheIndex<PoolId, ResourceSlice> byPool;
    private final Map<PoolId, Map<DeviceId, List<DeviceTaint>>> taints = new ConcurrentHashMap<>();

    TaintedDevices(ObjectCache<ResourceSlice> slices) {
        this.slices = slices;
        this.byPool = slices.index(slice -> List.of(slice.poolId()));
    }

    /// Applies a change; returns the devices whose taints have changed.
    Set<DeviceId> changed(Optional<ResourceSlice> before, Optional<ResourceSlice> after) {
        var pools = new HashSet<PoolId>();
        before.map(ResourceSlice::poolId).ifPresent(pools::add);
        after.map(ResourceSlice::poolId).ifPresent(pools::add);
        var changed = new HashSet<DeviceId>();
        for (var pool : pools) {
            var now = of(pool);
            var earlier = now.isEmpty() ? taints.remove(pool) : taints.put(pool, now);
            var old = earlier == null ? Map.<DeviceId, List<DeviceTaint>>of() : earlier;
            var all = new HashSet<>(old.keySet());
            all.addAll(now.keySet());
            for (var id : all) {
                if (!old.getOrDefault(id, List.of()).equals(now.getOrDefault(id, List.of()))) {
                    changed.add(id);
                }
            }
        }
        return changed;
    }

    private Map<DeviceId, List<DeviceTaint>> of(PoolId pool) {
        var tainted = new HashMap<DeviceId, List<DeviceTaint>>();
        for (var slice : PoolStatusReport.newestOf(byPool.find(pool))) {
            for (var device : slice.spec().devices()) {
                if (!device.taints().isEmpty()) {
                    var id = new DeviceId(pool.driver(), pool.pool(), device.name());
                    tainted.computeIfAbsent(id, _ -> new ArrayList<>()).addAll(device.taints());
                }
            }
        }
        return tainted;
    }

    List<DeviceTaint> on(DeviceId id) {
        return taints.getOrDefault(id.poolId(), Map.of()).getOrDefault(id, List.of());
    }

    /// The slices of the newest generation of all pools.
    List<ResourceSlice> newest() {
        var pools = new HashSet<PoolId>();
        slices.all().forEach(slice -> pools.add(slice.poolId()));
        return pools.stream()
                .flatMap(pool -> PoolStatusReport.newestOf(byPool.find(pool)).stream())
                .toList();
    }
}
