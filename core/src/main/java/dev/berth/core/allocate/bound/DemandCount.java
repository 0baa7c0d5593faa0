package dev.berth.core.allocate.bound;

import dev.berth.core.allocate.state.BitSets;
import dev.berth.core.allocate.state.Constraint;
import dev.berth.core.allocate.state.RequestOption;
import java.util.ArrayList;
import java.util.List;

/// A demand for a number of devices out of a set, by one request or by several equivalent ones.
///
/// @param kind distinguishes demands that consume different amounts of a device
/// @param need total number of devices
/// @param largest largest device count of one request: a request gets no device twice, although
///   several requests can share one
/// @param requests the number of requests
/// @param available candidate devices; narrowed in place
/// @param exclusive true when its devices cannot serve other demands, except shareable ones
/// @param needs lower bound of the consumed capacity, by device
/// @param constraints constraints that apply to it
/// @param values for each constraint, the values of each device
@SuppressWarnings("ArrayRecordComponent") // narrowed in place, never compared
record DemandCount(
        int kind,
        int need,
        int largest,
        int requests,
        long[] available,
        boolean exclusive,
        long[][] needs,
        List<Constraint> constraints,
        List<int[][]> values) {

    static DemandCount of(
            RequestOption option, int kind, int need, int largest, int requests, long[] available) {
        return new DemandCount(
                kind,
                need,
                largest,
                requests,
                available,
                !option.admin(),
                option.needs(),
                option.constraints(),
                option.values());
    }

    /// The demand of requests with alternatives, whichever is chosen: the smallest device count,
    /// out of the devices of all alternatives, under the constraints that apply to every
    /// alternative.
    static DemandCount ofAny(List<DemandCount> alternatives, int kind, int requests) {
        var first = alternatives.getFirst();
        var available = new long[first.available.length];
        var fewest = Integer.MAX_VALUE;
        var exclusive = true;
        for (var one : alternatives) {
            BitSets.add(available, one.available);
            fewest = Math.min(fewest, one.largest);
            exclusive &= one.exclusive;
        }
        var constraints = new ArrayList<Constraint>();
        var values = new ArrayList<int[][]>();
        for (var i = 0; i < first.constraints.size(); i++) {
            if (appliesToAll(alternatives, first.constraints.get(i), first.values.get(i))) {
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
    private static boolean appliesToAll(
            List<DemandCount> all, Constraint constraint, int[][] values) {
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
