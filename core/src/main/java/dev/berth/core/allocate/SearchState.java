package dev.berth.core.allocate;

import dev.berth.core.inventory.CounterConsumption;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ShareId;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What is taken on a node at one moment of a search: by others from the start, and by the devices
/// chosen so far. All of it lives in one [SearchTrail].
///
/// The layout of the trail, in order: which devices are marked, by any claim and by each; which
/// shareable devices are shared; what is left of every counter; the compatibility groups of every
/// counter set; what is left of every capacity of shareable devices; the constraints.
final class SearchState {

    /// A counter set that nobody draws on yet: anything goes.
    static final long NO_MEMBERS = 0;

    /// Its members have no groups: only devices without groups may join.
    static final long UNGROUPED = -1;

    /// Its members have nothing in common: nothing may join.
    static final long DISUNITED = -2;

    /// Groups are bits of one number, and the negative numbers have a meaning of their own.
    private static final int MAX_GROUPS = 62;

    /// Numbers larger than 2^62 are refused, so that taking one from another stays within 64 bits.
    private static final int MAX_BITS = 62;

    private final NodeDevices arena;
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

    SearchState(
            NodeDevices arena,
            Holdings holdings,
            int claims,
            RemainingCapacity capacities,
            int extraNumbers) {
        this.arena = arena;
        words = Math.max(1, BitSets.words(arena.size()));
        claimMarksAt = words;
        sharedAt = claimMarksAt + claims * words;
        var pools = arena.usablePools();
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
        capacityAt = new int[arena.size()];
        for (var device = 0; device < arena.size(); device++) {
            capacityAt[device] = next;
            next += capacities.columns(device);
        }
        constraintsAt = next;
        trail = new SearchTrail(next + extraNumbers);
        held = new long[words];
        poolOverdrawn = new boolean[pools.size()];
        takeHeld(holdings);
        for (var device = 0; device < arena.size(); device++) {
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
                    namesByPool.getOrDefault(arena.usablePools().get(i).id(), Set.of()));
        }
    }

    private void takeHeld(int number, Holdings holdings, Set<DeviceId> sharers, Set<String> names) {
        var pool = arena.usablePools().get(number);
        var left = new BigInteger[pool.counters().size()];
        Arrays.setAll(left, pool.counters()::total);
        for (var name : names) {
            pool.drawsOf(name).forEach(draw -> takeHeld(number, draw, left));
            var row = pool.row(name);
            if (row.isPresent()) {
                var id = new DeviceId(pool.id().driver(), pool.id().pool(), name);
                hold(
                        arena.device(number, row.get()),
                        holdings.exclusive().contains(id),
                        sharers.contains(id));
            }
        }
        for (var counter = 0; counter < left.length; counter++) {
            poolOverdrawn[number] |= left[counter].signum() < 0;
            if (left[counter].bitLength() > MAX_BITS) {
                throw new RemainingCapacity.Uncountable(
                        pool.id() + ": counter " + pool.counters().counterName(counter));
            }
            trail.set(countersAt[number] + counter, left[counter].longValue());
        }
    }

    /// What others hold is subtracted without a limit, since only what is left must be countable.
    private void takeHeld(int number, CounterConsumption draw, BigInteger[] left) {
        for (var i = 0; i < draw.counters().length; i++) {
            var counter = draw.counters()[i];
            left[counter] = left[counter].subtract(draw.exact()[i]);
        }
        joinSets(number, draw);
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
        if (shared && arena.isShareable(device)) {
            share(device);
        }
    }

    SearchTrail trail() {
        return trail;
    }

    int words() {
        return words;
    }

    /// Where numbers of constraints begin.
    int constraintsAt() {
        return constraintsAt;
    }

    /// Devices that others hold alone.
    long[] held() {
        return held;
    }

    /// True when a counter of the pool is below zero already: nothing more is drawn from it.
    boolean isOverdrawn(int poolNumber) {
        return poolOverdrawn[poolNumber];
    }

    boolean isMarked(int device) {
        return (trail.at(device >>> 6) & BitSets.bit(device)) != 0;
    }

    boolean isMarkedBy(int claim, int device) {
        return (trail.at(claimMarksAt + claim * words + (device >>> 6)) & BitSets.bit(device)) != 0;
    }

    /// Whether the same claims have marked both.
    boolean hasSameMarks(int a, int b) {
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

    boolean isShared(int device) {
        return (trail.at(sharedAt + (device >>> 6)) & BitSets.bit(device)) != 0;
    }

    void share(int device) {
        var word = sharedAt + (device >>> 6);
        trail.set(word, trail.at(word) | BitSets.bit(device));
    }

    int capacityAt(int device) {
        return capacityAt[device];
    }

    int counterAt(int poolNumber, int counter) {
        return countersAt[poolNumber] + counter;
    }

    int setAt(int poolNumber, int set) {
        return setsAt[poolNumber] + set;
    }

    /// Whether the counters and groups of its pool admit a device, beside all that draw on them.
    boolean admits(int device) {
        var draw = arena.draw(device);
        var pool = arena.poolNumber(device);
        if (draw.isNothing()) {
            return true;
        }
        if (poolOverdrawn[pool]) {
            return false;
        }
        for (var i = 0; i < draw.counters().length; i++) {
            if (trail.at(countersAt[pool] + draw.counters()[i]) < draw.amounts()[i]) {
                return false;
            }
        }
        for (var i = 0; i < draw.sets().length; i++) {
            var at = setsAt[pool] + draw.sets()[i];
            if (joined(trail.at(at), mask(at, draw.groups().get(i))) == DISUNITED) {
                return false;
            }
        }
        return true;
    }

    /// Takes what a device draws; [#admits] has said that it may.
    void charge(int device) {
        charge(arena.poolNumber(device), arena.draw(device));
    }

    private void charge(int pool, CounterConsumption draw) {
        for (var i = 0; i < draw.counters().length; i++) {
            var at = countersAt[pool] + draw.counters()[i];
            trail.set(at, trail.at(at) - draw.amounts()[i]);
        }
        joinSets(pool, draw);
    }

    private void joinSets(int pool, CounterConsumption draw) {
        for (var i = 0; i < draw.sets().length; i++) {
            var at = setsAt[pool] + draw.sets()[i];
            trail.set(at, joined(trail.at(at), mask(at, draw.groups().get(i))));
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
                throw new RemainingCapacity.Uncountable("a counter set with too many groups");
            }
            mask |= BitSets.bit(number);
        }
        return mask;
    }

    /// The groups that a set has in common when a device with these groups joins.
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
