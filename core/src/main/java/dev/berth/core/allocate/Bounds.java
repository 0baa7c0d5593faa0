package dev.berth.core.allocate;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Proves that a state leads nowhere, without trying.
///
/// Everything here is a necessary condition, so a `false` is a proof: every request must still have
/// enough devices; devices bound by a match must have a value in common, and enough of them; those
/// bound by distinctness enough values; no device serves two requests ([Matching]); and counters
/// and capacities must feed all that is wanted ([Packing]).
final class Bounds {

    /// Stands for "no option of the request is chosen yet".
    static final int UNDECIDED = -1;

    private static final int MAX_ROUNDS = 8;

    /// With more values than that, they are not looked at one by one for what they leave to others.
    private static final int MAX_VALUES = 64;

    private final Arena arena;
    private final SearchState state;
    private final Placement placement;
    private final List<SearchRequest> requests;
    private final Kinds kinds;
    private final Packing packing;
    private final Effort effort;
    private final boolean[] shareable;
    private final boolean anyShareable;
    private final IdentityHashMap<int[][], long[][]> holders = new IdentityHashMap<>();

    Bounds(
            Arena arena,
            SearchState state,
            Placement placement,
            List<SearchRequest> requests,
            Effort effort) {
        this.arena = arena;
        this.state = state;
        this.placement = placement;
        this.requests = requests;
        this.kinds = new Kinds(requests);
        this.shareable = new boolean[arena.size()];
        var any = false;
        for (var device = 0; device < arena.size(); device++) {
            shareable[device] = arena.isShareable(device);
            any |= shareable[device];
        }
        this.anyShareable = any;
        this.effort = effort;
        this.packing = new Packing(arena, state, shareable, effort);
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
            var need = option.count() - done;
            if (!option.all() && need > 0) {
                var demand =
                        Demand.of(
                                option,
                                kinds.kindOf(option),
                                need,
                                need,
                                1,
                                available(option, last + 1));
                if (!isEnough(demand)) {
                    return false;
                }
                demands.add(demand);
            }
            next++;
        }
        var known = new long[kinds.options()][];
        for (var kind = 0; kind < kinds.requests().size(); kind++) {
            if (kinds.requests(next, kind) > 0 && !want(demands, kind, next, known)) {
                return false;
            }
        }
        return narrow(demands) && canBeMatched(demands) && packing.isPossible(demands);
    }

    /// Adds what the requests of a kind want; false when there is no way to serve one.
    private boolean want(List<Demand> demands, int kind, int from, long[][] known) {
        var request = kinds.requests().get(kind);
        if (request.options().size() == 1) {
            var option = request.options().getFirst();
            if (kinds.need(from, kind) == 0) {
                return !option.all();
            }
            var demand =
                    Demand.of(
                            option,
                            kinds.kindOf(option),
                            kinds.need(from, kind),
                            kinds.atOnce(from, kind),
                            kinds.requests(from, kind),
                            available(option, known).clone());
            demands.add(demand);
            return isEnough(demand);
        }
        var hopeful = new ArrayList<Demand>();
        for (var option : request.options()) {
            if (option.count() == 0) {
                if (!option.all()) {
                    return true;
                }
                continue;
            }
            var count = option.count();
            var demand =
                    Demand.of(
                            option,
                            kinds.kindOf(option),
                            count,
                            count,
                            1,
                            available(option, known));
            if (isEnough(demand) && packing.isPossible(List.of(demand))) {
                hopeful.add(demand);
            }
        }
        if (hopeful.isEmpty()) {
            return false;
        }
        demands.add(Demand.ofAny(hopeful, kinds.options() + kind, kinds.requests(from, kind)));
        return true;
    }

    private boolean isEnough(Demand demand) {
        var count = Bits.count(demand.available());
        return count >= demand.need()
                || (count >= demand.atOnce()
                        && (!demand.exclusive() || hasShareable(demand.available())));
    }

    private long[] available(Option option, long[][] known) {
        var kind = kinds.kindOf(option);
        var available = known[kind];
        if (available == null) {
            available = available(option, 0);
            known[kind] = available;
        }
        return available;
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

    /// Leaves only devices that the constraints could still accept together.
    private boolean narrow(List<Demand> demands) {
        var bound = byConstraint(demands);
        for (var round = 0; round < MAX_ROUNDS && !bound.isEmpty(); round++) {
            var changed = false;
            for (var entry : bound.entrySet()) {
                var before = available(entry.getValue());
                var possible =
                        entry.getKey().isMatch()
                                ? narrowMatch(entry.getKey(), entry.getValue(), demands)
                                : enoughValues(entry.getKey(), entry.getValue());
                if (!possible) {
                    return false;
                }
                changed |= before != available(entry.getValue());
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
            count += Bits.count(demand.available());
        }
        return count;
    }

    private static Map<Constraint, List<Demand>> byConstraint(List<Demand> demands) {
        var bound = new LinkedHashMap<Constraint, List<Demand>>();
        for (var demand : demands) {
            for (var constraint : demand.constraints()) {
                bound.computeIfAbsent(constraint, _ -> new ArrayList<>()).add(demand);
            }
        }
        return bound;
    }

    private boolean narrowMatch(Constraint constraint, List<Demand> bound, List<Demand> all) {
        var total = 0;
        for (var demand : bound) {
            total += demand.need();
        }
        var begun = constraint.hasBegun(state.trail());
        if (total == 1 && !begun) {
            return true;
        }
        var masks = new long[bound.size()][state.words()];
        var possible = false;
        for (var value = 0; value < constraint.values().size(); value++) {
            if ((!begun || constraint.hasValue(state.trail(), value))
                    && isSufficient(constraint, bound, value, total)
                    && leavesEnough(constraint, bound, value, all)) {
                possible = true;
                for (var i = 0; i < masks.length; i++) {
                    Bits.add(masks[i], holders(constraint, bound.get(i))[value]);
                }
            }
        }
        for (var i = 0; i < masks.length; i++) {
            Bits.retain(bound.get(i).available(), masks[i]);
        }
        return possible;
    }

    /// Whether the devices with one value are enough for all demands of a constraint.
    private boolean isSufficient(
            Constraint constraint, List<Demand> demands, int value, int total) {
        var together = new long[state.words()];
        var exclusive = true;
        for (var demand : demands) {
            var holding = holders(constraint, demand)[value];
            if (Bits.countCommon(holding, demand.available()) < demand.atOnce()) {
                return false;
            }
            exclusive &= demand.exclusive();
            for (var i = 0; i < together.length; i++) {
                together[i] |= holding[i] & demand.available()[i];
            }
        }
        return !exclusive || Bits.count(together) >= total || hasShareable(together);
    }

    /// Whether there is enough for everything if these demands get this value.
    private boolean leavesEnough(
            Constraint constraint, List<Demand> bound, int value, List<Demand> all) {
        if (!effort.isLeft() || constraint.values().size() > MAX_VALUES) {
            return true;
        }
        var kept = new ArrayList<long[]>();
        for (var demand : bound) {
            kept.add(demand.available().clone());
            Bits.retain(demand.available(), holders(constraint, demand)[value]);
        }
        effort.spend(available(all));
        var possible = canBeMatched(all) && packing.isPossible(all);
        for (var i = 0; i < bound.size(); i++) {
            Bits.add(bound.get(i).available(), kept.get(i));
        }
        return possible;
    }

    private boolean hasShareable(long[] devices) {
        if (!anyShareable) {
            return false;
        }
        for (var device = Bits.next(devices, 0);
                device >= 0;
                device = Bits.next(devices, device + 1)) {
            if (shareable[device]) {
                return true;
            }
        }
        return false;
    }

    /// Whether every device can have a value of its own.
    private boolean enoughValues(Constraint constraint, List<Demand> demands) {
        var wanted = new ArrayList<long[]>();
        for (var demand : demands) {
            var fresh = new long[Bits.words(constraint.values().size()) + 1];
            var values = demand.valuesOf(constraint);
            for (var device = Bits.next(demand.available(), 0);
                    device >= 0;
                    device = Bits.next(demand.available(), device + 1)) {
                if (values[device].length == 0) {
                    return true;
                }
                for (var value : values[device]) {
                    Bits.set(fresh, value);
                }
            }
            wanted.add(fresh);
        }
        var matching = new Matching(wanted, constraint.values().size());
        for (var i = 0; i < wanted.size(); i++) {
            if (!matching.give(i, demands.get(i).need())) {
                return false;
            }
        }
        return true;
    }

    /// For each value the devices that have it.
    private long[][] holders(Constraint constraint, Demand demand) {
        return holders.computeIfAbsent(
                demand.valuesOf(constraint),
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
            total += demand.exclusive() ? demand.need() : 0;
        }
        for (var demand : demands) {
            if (!isEnough(demand)) {
                return false;
            }
            scarce |= demand.exclusive() && Bits.count(demand.available()) < total;
        }
        if (!scarce) {
            return true;
        }
        var matching = new Matching(demands.stream().map(Demand::available).toList(), arena.size());
        for (var i = 0; i < demands.size(); i++) {
            var demand = demands.get(i);
            if (demand.exclusive()
                    && !hasShareable(demand.available())
                    && !matching.give(i, demand.need())) {
                return false;
            }
        }
        return true;
    }
}
