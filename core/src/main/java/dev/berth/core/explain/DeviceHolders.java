package dev.berth.core.explain;

import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Index of the claims that hold devices and counters: [Holdings] plus the names of the claims.
final class DeviceHolders {

    private final Holdings holdings;
    private final Map<DeviceId, Set<ObjectRef>> claims = new HashMap<>();
    private final Map<PoolId, Set<String>> heldByPool = new HashMap<>();
    private final Set<DeviceId> shared = new LinkedHashSet<>();

    DeviceHolders(List<ResourceClaim> holders) {
        holdings = Holdings.of(holders);
        for (var holder : holders) {
            holder.status().allocation().stream()
                    .flatMap(allocation -> allocation.devices().stream())
                    .filter(device -> !device.isAdmin())
                    .forEach(device ->
                            claims.computeIfAbsent(device.id(), _ -> new TreeSet<>())
                                    .add(holder.ref()));
        }
        claims.keySet()
                .forEach(id ->
                        heldByPool
                                .computeIfAbsent(id.poolId(), _ -> new TreeSet<>())
                                .add(id.device()));
        holdings.shares().forEach(share -> shared.add(share.device()));
        shared.addAll(holdings.consumed().keySet());
    }

    Holdings holdings() {
        return holdings;
    }

    List<ObjectRef> holders(DeviceId device) {
        return List.copyOf(claims.getOrDefault(device, Set.of()));
    }

    boolean isShared(DeviceId device) {
        return shared.contains(device);
    }

    private Set<String> held(PoolView pool) {
        return heldByPool.getOrDefault(pool.id(), Set.of());
    }

    /// Free amounts of the counters of a pool.
    BigInteger[] countersLeft(PoolView pool) {
        return pool.countersLeft(held(pool));
    }

    /// The claims whose devices draw on a counter.
    List<ObjectRef> counterHolders(PoolView pool, int counter) {
        var found = new TreeSet<ObjectRef>();
        for (var name : held(pool)) {
            if (pool.consumptionsOf(name).stream()
                    .anyMatch(consumption ->
                            Arrays.stream(consumption.counters()).anyMatch(c -> c == counter))) {
                found.addAll(holders(id(pool, name)));
            }
        }
        return List.copyOf(found);
    }

    /// Compatibility groups of the devices in use that draw on a counter set, one list per device.
    List<List<String>> groups(PoolView pool, int set) {
        var groups = new ArrayList<List<String>>();
        for (var name : held(pool)) {
            for (var consumption : pool.consumptionsOf(name)) {
                for (var i = 0; i < consumption.sets().length; i++) {
                    if (consumption.sets()[i] == set) {
                        groups.add(consumption.groups().get(i));
                    }
                }
            }
        }
        return groups;
    }

    /// The claims whose devices draw on a counter set.
    List<ObjectRef> counterSetHolders(PoolView pool, int set) {
        var found = new TreeSet<ObjectRef>();
        for (var name : held(pool)) {
            if (pool.consumptionsOf(name).stream()
                    .anyMatch(consumption ->
                            Arrays.stream(consumption.sets()).anyMatch(s -> s == set))) {
                found.addAll(holders(id(pool, name)));
            }
        }
        return List.copyOf(found);
    }

    private static DeviceId id(PoolView pool, String name) {
        return new DeviceId(pool.id().driver(), pool.id().pool(), name);
    }
}
