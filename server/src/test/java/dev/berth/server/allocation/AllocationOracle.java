package dev.berth.server.allocation;

import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.Change;
import dev.berth.server.store.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Slow reference implementation of the allocation rules: sums up the allocations of all claims.
final class AllocationOracle {

    /// Capacity `amount` of each shareable device.
    static final Map<String, Integer> CAPACITIES = Map.of("s0", 10, "s1", 6, "s2", 3);

    /// Consumption of the pool's only counter by each partition.
    static final Map<String, Integer> CONSUMPTIONS =
            Map.of("p0", 1, "p1", 2, "p2", 3, "p3", 4, "p4", 5);

    static final int COUNTER = 8;

    private final Map<ObjectKey, List<JsonObject>> claims = new HashMap<>();

    void put(ObjectKey claim, JsonObject object) {
        claims.put(
                claim,
                object.objectOrEmpty("status")
                        .objectOrEmpty("allocation")
                        .objectOrEmpty("devices")
                        .objects("results"));
    }

    void apply(Change change) {
        if (change.type() == Change.Type.DELETED) {
            claims.remove(change.entry().key());
        } else {
            put(change.entry().key(), StoredObjects.tree(change.entry()));
        }
    }

    /// A device that is allocated beyond its limits; empty when all limits hold.
    Optional<String> overallocated() {
        var exclusive = new HashSet<String>();
        var shared = new HashMap<String, List<String>>();
        var amounts = new HashMap<String, Integer>();
        var all = claims.values().stream().flatMap(List::stream).toList();
        for (var one : all) {
            var device = one.text("pool") + "/" + one.text("device");
            var share = one.text("shareID");
            if (share.isEmpty()) {
                if (!exclusive.add(device)) {
                    return Optional.of(device);
                }
                continue;
            }
            var shares = shared.computeIfAbsent(device, _ -> new ArrayList<>());
            if (shares.contains(share)) {
                return Optional.of(device);
            }
            shares.add(share);
            var amount = one.objectOrEmpty("consumedCapacity").text("amount");
            amounts.merge(one.text("device"), Integer.parseInt(amount), Integer::sum);
        }
        for (var device : shared.keySet()) {
            var name = device.substring(device.indexOf('/') + 1);
            if (exclusive.contains(device)
                    || amounts.getOrDefault(name, 0) > CAPACITIES.getOrDefault(name, 0)) {
                return Optional.of(device);
            }
        }
        var drawn =
                exclusive.stream()
                        .filter(device -> device.startsWith("parts/"))
                        .mapToInt(device -> CONSUMPTIONS.getOrDefault(device.substring(6), 0))
                        .sum();
        return drawn > COUNTER ? Optional.of("parts") : Optional.empty();
    }
}
