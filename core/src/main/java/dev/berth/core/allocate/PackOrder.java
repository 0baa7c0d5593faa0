package dev.berth.core.allocate;

import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.ShareId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// The order in which devices are tried so that large pieces stay whole.
///
/// First what is broken into already: partitions whose counter set has least left, shareable
/// devices that are shared. Then the least that would be taken or bound: small draws on counters,
/// small capacities. Ties keep the order of Kubernetes. Whatever is tried first, everything is
/// tried.
final class PackOrder {

    private final Arena arena;
    private final Set<DeviceId> shared = new HashSet<>();
    private final Map<Long, Double> usersOfSet = new HashMap<>();

    private PackOrder(Arena arena, Holdings holdings) {
        this.arena = arena;
        shared.addAll(holdings.consumed().keySet());
        holdings.shares().stream().map(ShareId::device).forEach(shared::add);
        var held = new HashSet<>(holdings.exclusive());
        held.addAll(shared);
        for (var device : held) {
            take(device);
        }
    }

    static int[] of(Arena arena, Holdings holdings) {
        var order = new PackOrder(arena, holdings);
        return IntStream.range(0, arena.size())
                .boxed()
                .sorted(
                        Comparator.<Integer>comparingDouble(order::unbroken)
                                .thenComparing(device -> !order.shared.contains(arena.id(device)))
                                .thenComparingDouble(order::drawn)
                                .thenComparingDouble(order::capacity))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private void take(DeviceId id) {
        for (var number = 0; number < arena.usablePools().size(); number++) {
            var pool = arena.usablePools().get(number);
            if (!pool.id().equals(id.poolId())) {
                continue;
            }
            var poolNumber = number;
            pool.drawsOf(id.device())
                    .forEach(draw -> {
                        for (var set : draw.sets()) {
                            usersOfSet.merge(key(poolNumber, set), 1.0, Double::sum);
                        }
                    });
        }
    }

    private static long key(int pool, int set) {
        return ((long) pool << 32) | set;
    }

    /// How whole the device's counter sets are: the more devices draw on them, the sooner it goes.
    private double unbroken(int device) {
        var users = 0.0;
        for (var set : arena.draw(device).sets()) {
            users += usersOfSet.getOrDefault(key(arena.poolNumber(device), set), 0.0);
        }
        return -users;
    }

    /// How much of its counter sets it takes, as a fraction of each counter.
    private double drawn(int device) {
        var draw = arena.draw(device);
        var counters = arena.pool(device).counters();
        var sum = 0.0;
        for (var i = 0; i < draw.counters().length; i++) {
            var total = counters.total(draw.counters()[i]).doubleValue();
            sum += total > 0 ? draw.exact()[i].doubleValue() / total : 0;
        }
        return sum;
    }

    private double capacity(int device) {
        return arena.pool(device).capacities(arena.row(device)).values().stream()
                .mapToDouble(capacity -> capacity.value().asApproximateDouble())
                .sum();
    }
}
