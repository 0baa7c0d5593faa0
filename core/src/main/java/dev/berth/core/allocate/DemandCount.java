package dev.berth.core.allocate;

import java.util.ArrayList;
import java.util.List;

/// So many devices out of those available, for one request or for several that are alike.
///
/// @param kind tells demands apart that take different amounts of one device
/// @param need devices in all
/// @param atOnce the most that one request wants: it gets no device twice, though requests can
///   share
/// @param requests how many requests there are
/// @param available narrowed in place
/// @param exclusive true when nobody else can have the devices that serve it, but for shareable
///   ones
/// @param needs what it takes of the capacities of each device, at the least
/// @param constraints those that bind it
/// @param values for each constraint, the values of each device
@SuppressWarnings("ArrayRecordComponent") // narrowed in place, never compared
record DemandCount(
        int kind,
        int need,
        int atOnce,
        int requests,
        long[] available,
        boolean exclusive,
        long[][] needs,
        List<Constraint> constraints,
        List<int[][]> values) {

    static DemandCount of(
            RequestOption option, int kind, int need, int atOnce, int requests, long[] available) {
        return new DemandCount(
                kind,
                need,
                atOnce,
                requests,
                available,
                !option.admin(),
                option.needs(),
                option.constraints(),
                option.values());
    }

    /// What requests want whichever of these alternatives each gets: the fewest devices, out of all
    /// that any alternative could have, under the constraints that bind every alternative.
    static DemandCount ofAny(List<DemandCount> alternatives, int kind, int requests) {
        var first = alternatives.getFirst();
        var available = new long[first.available.length];
        var fewest = Integer.MAX_VALUE;
        var exclusive = true;
        for (var one : alternatives) {
            BitSets.add(available, one.available);
            fewest = Math.min(fewest, one.atOnce);
            exclusive &= one.exclusive;
        }
        var constraints = new ArrayList<Constraint>();
        var values = new ArrayList<int[][]>();
        for (var i = 0; i < first.constraints.size(); i++) {
            if (bindsAll(alternatives, first.constraints.get(i), first.values.get(i))) {
                constraints.add(first.constraints.get(i));
                values.add(first.values.get(i));
            }
        }
        return new DemandCount(
                kind,
                fewest * requests,
                fewest,
                requests,
                available,
                exclusive,
                least(alternatives),
                constraints,
                values);
    }

    @SuppressWarnings("ReferenceEquality") // options share the array unless they compute values
    private static boolean bindsAll(List<DemandCount> all, Constraint constraint, int[][] values) {
        for (var one : all) {
            var at = one.constraints.indexOf(constraint);
            if (at < 0 || one.values.get(at) != values) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // a shortcut
    private static long[][] least(List<DemandCount> alternatives) {
        var first = alternatives.getFirst().needs;
        if (alternatives.stream().allMatch(one -> one.needs == first)) {
            return first;
        }
        var least = new long[first.length][];
        for (var device = 0; device < first.length; device++) {
            least[device] = first[device].clone();
            for (var one : alternatives) {
                var other = one.needs[device];
                var has = BitSets.has(one.available, device);
                for (var column = 0; has && column < other.length; column++) {
                    least[device][column] = Math.min(least[device][column], other[column]);
                }
            }
        }
        return least;
    }

    /// The values that a constraint compares.
    int[][] valuesOf(Constraint constraint) {
        return values.get(constraints.indexOf(constraint));
    }
}
