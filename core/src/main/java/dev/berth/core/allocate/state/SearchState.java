package dev.berth.core.allocate.state;

import dev.berth.core.inventory.CounterConsumption;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.claim.ShareId;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The devices, counters and capacities in use during a search: by existing allocations and by the
/// devices assigned so far. All of it is kept in one [SearchTrail].
///
/// The layout of the trail, in order: bit sets of the assigned devices, for all claims and for each
/// claim; bit set of the devices with shares; remaining counters; compatibility groups of every
/// counter set; remaining capacities of shareable devices; constraints.
public final class SearchState {

    /// A counter set without consumers: any device may be added.
    static final long NO_MEMBERS = 0;

    /// Its consumers have no groups: only devices without groups may be added.
    static final long UNGROUPED = -1;

    /// Its consumers have no group in common: no device may be added.
    static final long DISUNITED = -2;

    /// Groups are bits of one `long`, whose negative values are reserved.
    private static final int MAX_GROUPS = 62;

    /// Amounts larger than 2^62 are rejected, so that differences fit in 64 bits.
    private static final int MAX_BITS = 62;

    private final NodeDevices nodeDevices;
    private final SearchTrail trail;
    private final int words;
    private final int claimMarksAt;
    private final int sharedAt;
    private final int[] countersAt;
    private final int[] setsAt;
    private final int[] capacityAt;
    private final int constraintsAt;
    private final long[] held;
    private final boolean[] poolOverdrawn;
    private final Map<Integer, Map<String, Integer>> groupNumbers = new HashMap<>();

    public SearchState(
            NodeDevices nodeDevices,
            Holdings holdings,
            int claims,
            RemainingCapacity capacities,
            int extraNumbers) {
        this.nodeDevices = nodeDevices;
        words = Math.max(1, BitSets.words(nodeDevices.size()));
        claimMarksAt = words;
        sharedAt = claimMarksAt + claims * words;
        var pools = nodeDevices.usablePools();
        countersAt = new int[pools.size()];
        setsAt = new int[pools.size()];
        var next = sharedAt + words;
        for (var i = 0; i < pools.size(); i++) {
            countersAt[i] = next;
            next += pools.get(i).counters().size();
        }
        for (var i = 0; i < pools.size(); i++) {
            setsAt[i] = next;
            next += pools.get(i).counters().setCount();
        }
        capacityAt = new int[nodeDevices.size()];
        for (var device = 0; device < nodeDevices.size(); device++) {
            capacityAt[device] = next;
            next += capacities.columns(device);
        }
        constraintsAt = next;
        trail = new SearchTrail(next + extraNumbers);
        held = new long[words];
        poolOverdrawn = new boolean[pools.size()];
        takeHeld(holdings);
        for (var device = 0; device < nodeDevices.size(); device++) {
            for (var column = 0; column < capacities.columns(device); column++) {
                trail.set(capacityAt[device] + column, capacities.left(device, column));
            }
        }
    }

    private void takeHeld(Holdings holdings) {
        var namesByPool = new HashMap<PoolId, Set<String>>();
        var sharers = new HashSet<DeviceId>(holdings.consumed().keySet());
        holdings.shares().stream().map(ShareId::device).forEach(sharers::add);
        for (var id : union(holdings.exclusive(), sharers)) {
            namesByPool.computeIfAbsent(id.poolId(), _ -> new HashSet<>()).add(id.device());
        }
        for (var i = 0; i < countersAt.length; i++) {
            takeHeld(
                    i,
                    holdings,
                    sharers,
                    namesByPool.getOrDefault(nodeDevices.usablePools().get(i).id(), Set.of()));
        }
    }

    private void takeHeld(int number, Holdings holdings, Set<DeviceId> sharers, Set<String> names) {
        var pool = nodeDevices.usablePools().get(number);
        var left = new BigInteger[pool.counters().size()];
        Arrays.setAll(left, pool.counters()::total);
        for (var name : names) {
            pool.consumptionsOf(name).forEach(consumption -> takeHeld(number, consumption, left));
            var row = pool.row(name);
            if (row.isPresent()) {
                var id = new DeviceId(pool.id().driver(), pool.id().pool(), name);
                hold(
                        nodeDevices.device(number, row.get()),
                        holdings.exclusive().contains(id),
                        sharers.contains(id));
            }
        }
        for (var counter = 0; counter < left.length; counter++) {
            poolOverdrawn[number] |= left[counter].signum() < 0;
            if (left[counter].bitLength() > MAX_BITS) {
                throw new RemainingCapacity.UncountableException(
                        pool.id() + ": counter " + pool.counters().counterName(counter));
            }
            trail.set(countersAt[number] + counter, left[counter].longValue());
        }
    }

    /// Existing allocations are subtracted as BigInteger, since only the remainder has to fit in 64
    /// bits.
    private void takeHeld(int number, CounterConsumption consumption, BigInteger[] left) {
        for (var i = 0; i < consumption.counters().length; i++) {
            var counter = consumption.counters()[i];
            left[counter] = left[counter].subtract(consumption.exactAmounts()[i]);
        }
        joinSets(number, consumption);
    }

    private static List<DeviceId> union(Set<DeviceId> a, Set<DeviceId> b) {
        var all = new ArrayList<>(a);
        b.stream().filter(id -> !a.contains(id)).forEach(all::add);
        return all;
    }

    private void hold(int device, boolean exclusively, boolean shared) {
        if (exclusively) {
            BitSets.set(held, device);
        }
        if (shared && nodeDevices.isShareable(device)) {
            share(device);
        }
    }

    public SearchTrail trail() {
        return trail;
    }

    public int words() {
        return words;
    }

    /// The trail index at which constraints begin.
    public int constraintsAt() {
        return constraintsAt;
    }

    /// Devices that are allocated exclusively.
    public long[] held() {
        return held;
    }

    /// Whether a counter of the pool is already negative, so that no counter of the pool can be
    /// consumed.
    public boolean isOverdrawn(int poolNumber) {
        return poolOverdrawn[poolNumber];
    }

    public boolean isMarked(int device) {
        return (trail.at(device >>> 6) & BitSets.bit(device)) != 0;
    }

    boolean isMarkedBy(int claim, int device) {
        return (trail.at(claimMarksAt + claim * words + (device >>> 6)) & BitSets.bit(device)) != 0;
    }

    /// Whether both devices are assigned to the same claims.
    public boolean hasSameMarks(int a, int b) {
        for (var at = 0; at < sharedAt; at += words) {
            var ofA = (trail.at(at + (a >>> 6)) >>> a) & 1;
            var ofB = (trail.at(at + (b >>> 6)) >>> b) & 1;
            if (ofA != ofB) {
                return false;
            }
        }
        return true;
    }

    void mark(int claim, int device) {
        var word = device >>> 6;
        trail.set(word, trail.at(word) | BitSets.bit(device));
        var own = claimMarksAt + claim * words + word;
        trail.set(own, trail.at(own) | BitSets.bit(device));
    }

    public boolean isShared(int device) {
        return (trail.at(sharedAt + (device >>> 6)) & BitSets.bit(device)) != 0;
    }

    void share(int device) {
        var word = sharedAt + (device >>> 6);
        trail.set(word, trail.at(word) | BitSets.bit(device));
    }

    public int capacityAt(int device) {
        return capacityAt[device];
    }

    public int counterAt(int poolNumber, int counter) {
        return countersAt[poolNumber] + counter;
    }

    public int setAt(int poolNumber, int set) {
        return setsAt[poolNumber] + set;
    }

    /// Whether the remaining counters and the compatibility groups of its pool admit a device.
    public boolean admits(int device) {
        var consumption = nodeDevices.consumption(device);
        var pool = nodeDevices.poolNumber(device);
        if (consumption.isEmpty()) {
            return true;
        }
        if (poolOverdrawn[pool]) {
            return false;
        }
        for (var i = 0; i < consumption.counters().length; i++) {
            if (trail.at(countersAt[pool] + consumption.counters()[i]) < consumption.amounts()[i]) {
                return false;
            }
        }
        for (var i = 0; i < consumption.sets().length; i++) {
            var at = setsAt[pool] + consumption.sets()[i];
            if (joined(trail.at(at), mask(at, consumption.groups().get(i))) == DISUNITED) {
                return false;
            }
        }
        return true;
    }

    /// Subtracts the counters of a device that satisfies [#admits].
    void charge(int device) {
        charge(nodeDevices.poolNumber(device), nodeDevices.consumption(device));
    }

    private void charge(int pool, CounterConsumption consumption) {
        for (var i = 0; i < consumption.counters().length; i++) {
            var at = countersAt[pool] + consumption.counters()[i];
            trail.set(at, trail.at(at) - consumption.amounts()[i]);
        }
        joinSets(pool, consumption);
    }

    private void joinSets(int pool, CounterConsumption consumption) {
        for (var i = 0; i < consumption.sets().length; i++) {
            var at = setsAt[pool] + consumption.sets()[i];
            trail.set(at, joined(trail.at(at), mask(at, consumption.groups().get(i))));
        }
    }

    private long mask(int set, List<String> groups) {
        if (groups.isEmpty()) {
            return 0;
        }
        var numbers = groupNumbers.computeIfAbsent(set, _ -> new HashMap<>());
        var mask = 0L;
        for (var group : groups) {
            var number = numbers.computeIfAbsent(group, _ -> numbers.size());
            if (number >= MAX_GROUPS) {
                throw new RemainingCapacity.UncountableException(
                        "a counter set with too many groups");
            }
            mask |= BitSets.bit(number);
        }
        return mask;
    }

    /// The common groups of a counter set after a device with these groups is added.
    private static long joined(long common, long groups) {
        if (common == NO_MEMBERS) {
            return groups == 0 ? UNGROUPED : groups;
        }
        if (common == UNGROUPED) {
            return groups == 0 ? UNGROUPED : DISUNITED;
        }
        return common == DISUNITED || (common & groups) == 0 ? DISUNITED : common & groups;
    }
}
