package dev.berth.core.allocate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Proves that a state leads nowhere, without trying.
///
/// Everything here is a necessary condition, so a `false` is a proof: every request must still have
/// enough devices; devices bound by a match must have a value in common, and enough of them; those
/// bound by distinctness enough values; a counter set can only give what it has; and no device
/// serves two requests (a bipartite matching, found by augmenting paths).
final class Bounds {

    /// Stands for "no option of the request is chosen yet".
    static final int UNDECIDED = -1;

    private static final int MAX_ROUNDS = 8;

    private final Arena arena;
    private final SearchState state;
    private final Placement placement;
    private final List<SearchRequest> requests;
    private final boolean[] shareable;
    private final IdentityHashMap<int[][], long[][]> holders = new IdentityHashMap<>();

    /// So many devices out of those available.
    ///
    /// @param exclusive true when nobody else can have the devices that serve it
    @SuppressWarnings("ArrayRecordComponent") // narrowed in place, never compared
    private record Demand(Option option, int need, long[] available, boolean exclusive) {}

    Bounds(Arena arena, SearchState state, Placement placement, List<SearchRequest> requests) {
        this.arena = arena;
        this.state = state;
        this.placement = placement;
        this.requests = requests;
        this.shareable = new boolean[arena.size()];
        for (var device = 0; device < arena.size(); device++) {
            shareable[device] = arena.isShareable(device);
        }
    }

    /// Whether all that is still wanted may yet be found.
    ///
    /// @param number the request that is being served
    /// @param optionNumber its option, or [#UNDECIDED]
    /// @param done how many devices that option has got
    /// @param last the last of them; the others come after it
    boolean leaveHope(int number, int optionNumber, int done, int last) {
        var demands = new ArrayList<Demand>();
        var next = number;
        if (optionNumber != UNDECIDED) {
            var option = requests.get(number).options().get(optionNumber);
            if (!option.all() && !want(demands, option, option.count() - done, last + 1)) {
                return false;
            }
            next++;
        }
        for (var i = next; i < requests.size(); i++) {
            if (!want(demands, requests.get(i))) {
                return false;
            }
        }
        return narrow(demands) && canBeMatched(demands);
    }

    private boolean want(List<Demand> demands, SearchRequest request) {
        var hopeful = new ArrayList<Demand>();
        for (var option : request.options()) {
            want(hopeful, option, option.count(), 0);
        }
        if (hopeful.size() == 1) {
            demands.addAll(hopeful);
        }
        return !hopeful.isEmpty()
                || request.options().stream().anyMatch(o -> o.count() == 0 && !o.all());
    }

    private boolean want(List<Demand> demands, Option option, int need, int from) {
        if (need == 0) {
            return !option.all();
        }
        var available = available(option, from);
        if (Bits.count(available) < need || !countersSuffice(available, need)) {
            return false;
        }
        demands.add(new Demand(option, need, available, !option.admin()));
        return true;
    }

    private long[] available(Option option, int from) {
        var available = new long[state.words()];
        for (var device = Bits.next(option.candidates(), from);
                device >= 0;
                device = Bits.next(option.candidates(), device + 1)) {
            if (!placement.isInUse(option, device)
                    && placement.isFree(option, device)
                    && isAdmitted(option, device)) {
                Bits.set(available, device);
            }
        }
        return available;
    }

    private boolean isAdmitted(Option option, int device) {
        for (var i = 0; i < option.constraints().size(); i++) {
            if (!option.constraints().get(i).admits(state.trail(), option.values(i, device))) {
                return false;
            }
        }
        return true;
    }

    /// Whether the counter sets can give enough: from each at most what is left of all its counters
    /// together, by the least that one device takes of them.
    private boolean countersSuffice(long[] available, int need) {
        var sets = new HashMap<Integer, CounterShare>();
        var without = 0;
        for (var device = Bits.next(available, 0);
                device >= 0;
                device = Bits.next(available, device + 1)) {
            var draw = arena.draw(device);
            if (draw.isNothing() || (shareable[device] && state.isShared(device))) {
                without++;
                continue;
            }
            var pool = arena.poolNumber(device);
            sets.computeIfAbsent(state.setAt(pool, draw.sets()[0]), _ -> new CounterShare())
                    .add(state, pool, draw);
        }
        var most = without;
        for (var share : sets.values()) {
            most += share.most(state);
        }
        return most >= need;
    }

    /// Leaves only devices that the constraints could still accept together.
    private boolean narrow(List<Demand> demands) {
        for (var round = 0; round < MAX_ROUNDS; round++) {
            var changed = false;
            for (var bound : byConstraint(demands).entrySet()) {
                var before = available(bound.getValue());
                var possible =
                        bound.getKey().isMatch()
                                ? narrowMatch(bound.getKey(), bound.getValue())
                                : enoughValues(bound.getKey(), bound.getValue());
                if (!possible) {
                    return false;
                }
                changed |= before != available(bound.getValue());
            }
            if (!changed) {
                return true;
            }
        }
        return true;
    }

    private static int available(List<Demand> demands) {
        var count = 0;
        for (var demand : demands) {
            count += Bits.count(demand.available);
        }
        return count;
    }

    private static Map<Constraint, List<Demand>> byConstraint(List<Demand> demands) {
        var bound = new LinkedHashMap<Constraint, List<Demand>>();
        for (var demand : demands) {
            for (var constraint : demand.option.constraints()) {
                bound.computeIfAbsent(constraint, _ -> new ArrayList<>()).add(demand);
            }
        }
        return bound;
    }

    private boolean narrowMatch(Constraint constraint, List<Demand> demands) {
        var total = demands.stream().mapToInt(Demand::need).sum();
        var begun = constraint.hasBegun(state.trail());
        if (total == 1 && !begun) {
            return true;
        }
        var masks = new ArrayList<long[]>();
        demands.forEach(_ -> masks.add(new long[state.words()]));
        var possible = false;
        for (var value = 0; value < constraint.values().size(); value++) {
            if ((!begun || constraint.hasValue(state.trail(), value))
                    && sufficient(constraint, demands, value, total)) {
                possible = true;
                for (var i = 0; i < demands.size(); i++) {
                    Bits.add(masks.get(i), holders(constraint, demands.get(i).option)[value]);
                }
            }
        }
        for (var i = 0; i < demands.size(); i++) {
            Bits.retain(demands.get(i).available, masks.get(i));
        }
        return possible;
    }

    /// Whether the devices with one value are enough for all demands of a constraint.
    private boolean sufficient(Constraint constraint, List<Demand> demands, int value, int total) {
        var together = new long[state.words()];
        var exclusive = true;
        for (var demand : demands) {
            var holding = holders(constraint, demand.option)[value].clone();
            Bits.retain(holding, demand.available);
            if (Bits.count(holding) < demand.need) {
                return false;
            }
            exclusive &= demand.exclusive;
            Bits.add(together, holding);
        }
        return !exclusive || hasShareable(together) || Bits.count(together) >= total;
    }

    private boolean hasShareable(long[] devices) {
        for (var device = Bits.next(devices, 0);
                device >= 0;
                device = Bits.next(devices, device + 1)) {
            if (shareable[device]) {
                return true;
            }
        }
        return false;
    }

    private boolean enoughValues(Constraint constraint, List<Demand> demands) {
        var fresh = new long[Bits.words(constraint.values().size()) + 1];
        var total = 0;
        for (var demand : demands) {
            total += demand.need;
            var values = valuesOf(constraint, demand.option);
            for (var device = Bits.next(demand.available, 0);
                    device >= 0;
                    device = Bits.next(demand.available, device + 1)) {
                if (values[device].length == 0) {
                    return true;
                }
                for (var value : values[device]) {
                    Bits.set(fresh, value);
                }
            }
        }
        return Bits.count(fresh) >= total;
    }

    private static int[][] valuesOf(Constraint constraint, Option option) {
        return option.values().get(option.constraints().indexOf(constraint));
    }

    /// For each value the devices that have it.
    private long[][] holders(Constraint constraint, Option option) {
        return holders.computeIfAbsent(
                valuesOf(constraint, option),
                values -> {
                    var sets = new long[constraint.values().size()][state.words()];
                    for (var device = 0; device < values.length; device++) {
                        for (var value : values[device]) {
                            Bits.set(sets[value], device);
                        }
                    }
                    return sets;
                });
    }

    /// Whether every demand can have devices of its own.
    private boolean canBeMatched(List<Demand> demands) {
        var total = 0;
        var scarce = false;
        for (var demand : demands) {
            total += demand.exclusive ? demand.need : 0;
        }
        for (var demand : demands) {
            var count = Bits.count(demand.available);
            if (count < demand.need) {
                return false;
            }
            scarce |= demand.exclusive && count < total;
        }
        return !scarce || new Matching(demands).isComplete();
    }

    /// Devices given to demands, one device a demand unless it can be shared.
    private final class Matching {

        private final List<Demand> demands;
        private final int[] owner = new int[arena.size()];
        private final boolean[] visited = new boolean[arena.size()];

        Matching(List<Demand> demands) {
            this.demands = demands;
            Arrays.fill(owner, -1);
        }

        boolean isComplete() {
            for (var i = 0; i < demands.size(); i++) {
                var demand = demands.get(i);
                if (!demand.exclusive || hasShareable(demand.available)) {
                    continue;
                }
                for (var n = 0; n < demand.need; n++) {
                    Arrays.fill(visited, false);
                    if (!augment(i)) {
                        return false;
                    }
                }
            }
            return true;
        }

        private boolean augment(int number) {
            var available = demands.get(number).available;
            for (var device = Bits.next(available, 0);
                    device >= 0;
                    device = Bits.next(available, device + 1)) {
                if (visited[device] || owner[device] == number) {
                    continue;
                }
                visited[device] = true;
                if (owner[device] < 0 || augment(owner[device])) {
                    owner[device] = number;
                    return true;
                }
            }
            return false;
        }
    }
}
