package dev.berth.drivers.sim;

import dev.berth.core.publish.DesiredPool;
import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceTaint;
import dev.berth.model.api.PoolId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// What has gone wrong in the fleet, because somebody wanted to see what happens then.
final class Faults {

    private final Map<DeviceId, List<DeviceTaint>> taints = new ConcurrentHashMap<>();
    private final Set<DeviceId> gone = ConcurrentHashMap.newKeySet();
    private final Set<DeviceId> unattachable = ConcurrentHashMap.newKeySet();
    private final Set<String> silent = ConcurrentHashMap.newKeySet();

    void taint(DeviceId device, List<DeviceTaint> wrong) {
        taints.put(device, List.copyOf(wrong));
    }

    void remove(DeviceId device) {
        gone.add(device);
    }

    void refuseAttachment(DeviceId device) {
        unattachable.add(device);
    }

    void heal(DeviceId device) {
        taints.remove(device);
        gone.remove(device);
        unattachable.remove(device);
    }

    void silence(String node) {
        silent.add(node);
    }

    void wake(String node) {
        silent.remove(node);
    }

    boolean isSilent(String node) {
        return silent.contains(node);
    }

    boolean isUnattachable(DeviceId device) {
        return unattachable.contains(device);
    }

    /// A pool as its driver sees it now.
    DesiredPool seen(DesiredPool pool) {
        if (taints.isEmpty() && gone.isEmpty()) {
            return pool;
        }
        return pool.withDevices(
                pool.devices().stream()
                        .filter(device -> !gone.contains(id(pool.id(), device)))
                        .map(device -> tainted(pool.id(), device))
                        .toList());
    }

    private Device tainted(PoolId pool, Device device) {
        var more = taints.get(id(pool, device));
        return more == null ? device : device.withTaints(more);
    }

    private static DeviceId id(PoolId pool, Device device) {
        return new DeviceId(pool.driver(), pool.pool(), device.name());
    }
}
