package dev.berth.core.allocate;

import dev.berth.model.api.DeviceDemand;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One way to serve a request on a node: the request itself, or one of its alternatives, with the
/// devices that could do it.
///
/// @param label whose it is, for messages: `claim c, request r`
/// @param name as results call it: `request` or `request/alternative`
/// @param all true when it wants every device in `allDevices`, in that order
/// @param candidates devices that nothing but the state of the search can rule out
/// @param spent candidates that have too little left, which shows only after their constraints
/// @param faults devices on which the search fails, with the message
/// @param consumed what it would consume of each device's capacities; null where it has no use for
///   it
/// @param needs the same as counts of the [RemainingCapacity]; only shareable devices have any
/// @param values for each constraint, the values of each device
/// @param valueFaults devices with a value that could not be computed, with the message
@SuppressWarnings("ArrayRecordComponent") // never compared; read in the hot path
record RequestOption(
        String label,
        String name,
        String request,
        int claim,
        DeviceDemand demand,
        boolean admin,
        boolean all,
        int count,
        int[] allDevices,
        long[] candidates,
        long[] spent,
        Map<Integer, String> faults,
        List<@Nullable Map<String, Quantity>> consumed,
        long[][] needs,
        List<Constraint> constraints,
        List<int[][]> values,
        Map<Integer, String> valueFaults) {

    /// True when the search would fail, not just go on, on meeting some device.
    boolean hasFaults() {
        return !faults.isEmpty() || !valueFaults.isEmpty() || (all && !constraints.isEmpty());
    }

    /// The values of a device that a constraint compares.
    int[] values(int constraint, int device) {
        return values.get(constraint)[device];
    }
}
