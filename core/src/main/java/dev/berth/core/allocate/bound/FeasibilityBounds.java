package dev.berth.core.allocate.bound;

import dev.berth.core.allocate.state.BitSets;
import dev.berth.core.allocate.state.Constraint;
import dev.berth.core.allocate.state.DeviceAssigner;
import dev.berth.core.allocate.state.NodeDevices;
import dev.berth.core.allocate.state.RequestOption;
import dev.berth.core.allocate.state.SearchRequest;
import dev.berth.core.allocate.state.SearchState;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Necessary conditions for a solution, used to prove that a search state is a dead end.
///
/// A `false` is a proof. The conditions: every request has enough candidates left; enough devices
/// under a match constraint have a value in common; devices under a distinct constraint have enough
/// values; no device serves two requests ([BipartiteMatching]); counters and capacities suffice for
/// all demands together ([PackingBound]).
public final class FeasibilityBounds {

    /// No option of the request is chosen yet.
    public static final int UNDECIDED = -1;

    private static final int MAX_ROUNDS = 8;

    /// With more values than this, the effect of each value on other demands is not checked.
    private static final int MAX_VALUES = 64;

    private final NodeDevices nodeDevices;
    private final SearchState state;
    private final DeviceAssigner assigner;
    private final List<SearchRequest> requests;
    private final RequestEquivalence kinds;
    private final PackingBound packing;
    private final ProofBudget proofBudget;
    private final boolean[] shareable;
    private final boolean anyShareable;
    private final IdentityHashMap<int[][], long[][]> holders = new IdentityHashMap<>();

    public FeasibilityBounds(
            NodeDevices nodeDevices,
            SearchState state,
            DeviceAssigner assigner,
            List<SearchRequest> requests,
            ProofBudget proofBudget) {
        this.nodeDevices = nodeDevices;
        this.state = state;
        this.assigner = assigner;
        this.requests = requests;
        this.kinds = new RequestEquivalence(requests);
        this.shareable = new boolean[nodeDevices.size()];
        var any = false;
        for (var device = 0; device < nodeDevices.size(); device++) {
            shareable[device] = nodeDevices.isShareable(device);
            any |= shareable[device];
        }
        this.anyShareable = any;
        this.proofBudget = proofBudget;
        this.packing = new PackingBound(nodeDevices, state, shareable, proofBudget);
    }

    /// Whether the remaining requests may have a solution; `false` is a proof that they have none.
    ///
    /// @param number the request being served
    /// @param optionNumber its chosen option, or [#UNDECIDED]
    /// @param done the number of devices assigned to that option
    /// @param last the last of them; the next ones have higher numbers
    public boolean mayFit(int number, int optionNumber, int done, int last) {
        var demands = new ArrayList<DemandCount>();
        var next = number;
        if (optionNumber != UNDECIDED) {
            var option = requests.get(number).options().get(optionNumber);
            var need = option.count() - done;
            if (!option.all() && need > 0) {
                var demand =
                        DemandCount.of(
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
        var byKind = new long[kinds.options()][];
        for (var kind = 0; kind < kinds.requests().size(); kind++) {
            if (kinds.requests(next, kind) > 0 && !addDemand(demands, kind, next, byKind)) {
                return false;
            }
        }
        return narrow(demands) && canBeMatched(demands) && packing.isPossible(demands);
    }

    /// Adds the demand of all remaining requests of a kind; false when none of their options is
    /// feasible.
    private boolean addDemand(List<DemandCount> demands, int kind, int from, long[][] byKind) {
        var request = kinds.requests().get(kind);
        if (request.options().size() == 1) {
            var option = request.options().getFirst();
            if (kinds.need(from, kind) == 0) {
                return !option.all();
            }
            var demand =
                    DemandCount.of(
                            option,
                            kinds.kindOf(option),
                            kinds.need(from, kind),
                            kinds.largest(from, kind),
                            kinds.requests(from, kind),
                            available(option, byKind).clone());
            demands.add(demand);
            return isEnough(demand);
        }
        var feasible = new ArrayList<DemandCount>();
        for (var option : request.options()) {
            if (option.count() == 0) {
                if (!option.all()) {
                    return true;
                }
                continue;
            }
            var count = option.count();
            var demand =
                    DemandCount.of(
                            option,
                            kinds.kindOf(option),
                            count,
                            count,
                            1,
                            available(option, byKind));
            if (isEnough(demand) && packing.isPossible(List.of(demand))) {
                feasible.add(demand);
            }
        }
        if (feasible.isEmpty()) {
            return false;
        }
        demands.add(
                DemandCount.ofAny(feasible, kinds.options() + kind, kinds.requests(from, kind)));
        return true;
    }

    private boolean isEnough(DemandCount demand) {
        var count = BitSets.count(demand.available());
        return count >= demand.need()
                || (count >= demand.largest()
                        && (!demand.exclusive() || hasShareable(demand.available())));
    }

    private long[] available(RequestOption option, long[][] byKind) {
        var kind = kinds.kindOf(option);
        var available = byKind[kind];
        if (available == null) {
            available = available(option, 0);
            byKind[kind] = available;
        }
        return available;
    }

    private long[] available(RequestOption option, int from) {
        var available = new long[state.words()];
        for (var device = BitSets.next(option.candidates(), from);
                device >= 0;
                device = BitSets.next(option.candidates(), device + 1)) {
            if (!assigner.isInUse(option, device)
                    && assigner.isAvailable(option, device)
                    && isAdmitted(option, device)) {
                BitSets.set(available, device);
            }
        }
        return available;
    }

    private boolean isAdmitted(RequestOption option, int device) {
        for (var i = 0; i < option.constraints().size(); i++) {
            if (!option.constraints().get(i).admits(state.trail(), option.values(i, device))) {
                return false;
            }
        }
        return true;
    }

    /// Removes devices that the constraints cannot accept together with the other demands.
    private boolean narrow(List<DemandCount> demands) {
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

    private static int available(List<DemandCount> demands) {
        var count = 0;
        for (var demand : demands) {
            count += BitSets.count(demand.available());
        }
        return count;
    }

    private static Map<Constraint, List<DemandCount>> byConstraint(List<DemandCount> demands) {
        var bound = new LinkedHashMap<Constraint, List<DemandCount>>();
        for (var demand : demands) {
            for (var constraint : demand.constraints()) {
                bound.computeIfAbsent(constraint, _ -> new ArrayList<>()).add(demand);
            }
        }
        return bound;
    }

    private boolean narrowMatch(
            Constraint constraint, List<DemandCount> bound, List<DemandCount> all) {
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
                    BitSets.add(masks[i], holders(constraint, bound.get(i))[value]);
                }
            }
        }
        for (var i = 0; i < masks.length; i++) {
            BitSets.retain(bound.get(i).available(), masks[i]);
        }
        return possible;
    }

    /// Whether the devices with one value suffice for all demands under a constraint.
    private boolean isSufficient(
            Constraint constraint, List<DemandCount> demands, int value, int total) {
        var together = new long[state.words()];
        var exclusive = true;
        for (var demand : demands) {
            var holding = holders(constraint, demand)[value];
            if (BitSets.countCommon(holding, demand.available()) < demand.largest()) {
                return false;
            }
            exclusive &= demand.exclusive();
            for (var i = 0; i < together.length; i++) {
                together[i] |= holding[i] & demand.available()[i];
            }
        }
        return !exclusive || BitSets.count(together) >= total || hasShareable(together);
    }

    /// Whether all demands can be served if those under the constraint use this value.
    private boolean leavesEnough(
            Constraint constraint, List<DemandCount> bound, int value, List<DemandCount> all) {
        if (!proofBudget.isLeft() || constraint.values().size() > MAX_VALUES) {
            return true;
        }
        var kept = new ArrayList<long[]>();
        for (var demand : bound) {
            kept.add(demand.available().clone());
            BitSets.retain(demand.available(), holders(constraint, demand)[value]);
        }
        proofBudget.spend(available(all));
        var possible = canBeMatched(all) && packing.isPossible(all);
        for (var i = 0; i < bound.size(); i++) {
            BitSets.add(bound.get(i).available(), kept.get(i));
        }
        return possible;
    }

    private boolean hasShareable(long[] devices) {
        if (!anyShareable) {
            return false;
        }
        for (var device = BitSets.next(devices, 0);
                device >= 0;
                device = BitSets.next(devices, device + 1)) {
            if (shareable[device]) {
                return true;
            }
        }
        return false;
    }

    /// Whether there are enough distinct values for all devices under the constraint.
    private boolean enoughValues(Constraint constraint, List<DemandCount> demands) {
        var valueSets = new ArrayList<long[]>();
        for (var demand : demands) {
            var fresh = new long[BitSets.words(constraint.values().size()) + 1];
            var values = demand.valuesOf(constraint);
            for (var device = BitSets.next(demand.available(), 0);
                    device >= 0;
                    device = BitSets.next(demand.available(), device + 1)) {
                if (values[device].length == 0) {
                    return true;
                }
                for (var value : values[device]) {
                    BitSets.set(fresh, value);
                }
            }
            valueSets.add(fresh);
        }
        var matching = new BipartiteMatching(valueSets, constraint.values().size());
        for (var i = 0; i < valueSets.size(); i++) {
            if (!matching.match(i, demands.get(i).need())) {
                return false;
            }
        }
        return true;
    }

    /// For each value the devices with this value.
    private long[][] holders(Constraint constraint, DemandCount demand) {
        return holders.computeIfAbsent(
                demand.valuesOf(constraint),
                values -> {
                    var sets = new long[constraint.values().size()][state.words()];
                    for (var device = 0; device < values.length; device++) {
                        for (var value : values[device]) {
                            BitSets.set(sets[value], device);
                        }
                    }
                    return sets;
                });
    }

    /// Whether every exclusive demand can get devices of its own.
    private boolean canBeMatched(List<DemandCount> demands) {
        var total = 0;
        var scarce = false;
        for (var demand : demands) {
            total += demand.exclusive() ? demand.need() : 0;
        }
        for (var demand : demands) {
            if (!isEnough(demand)) {
                return false;
            }
            scarce |= demand.exclusive() && BitSets.count(demand.available()) < total;
        }
        if (!scarce) {
            return true;
        }
        var matching =
                new BipartiteMatching(
                        demands.stream().map(DemandCount::available).toList(), nodeDevices.size());
        for (var i = 0; i < demands.size(); i++) {
            var demand = demands.get(i);
            if (demand.exclusive()
                    && !hasShareable(demand.available())
                    && !matching.match(i, demand.need())) {
                return false;
            }
        }
        return true;
    }
}
