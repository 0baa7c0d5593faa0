package dev.berth.core.allocate.state;

import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One way to serve a request on a node, with its candidate devices: the request itself, or an
/// alternative of a `firstAvailable` request.
///
/// @param label claim and request for messages: `claim c, request r`
/// @param name the name in allocation results: `request` or `request/subrequest`
/// @param all true for allocation mode `All`: every device in `allDevices` is taken, in that order
/// @param candidates devices that pass all checks that do not depend on the state of the search
/// @param exhausted devices with too little capacity left, checked only after the constraints
/// @param faults devices on which the search fails, with the error message
/// @param consumed consumed capacity by device; null for devices that do not match
/// @param needs consumed capacity in the units of [RemainingCapacity]; empty for devices that are
///   not shareable
/// @param values for each constraint, the numbered values of each device
/// @param valueFaults devices with a derived attribute that fails, with the error message
@SuppressWarnings("ArrayRecordComponent") // never compared; read in the hot path
public record RequestOption(
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
        long[] exhausted,
        Map<Integer, String> faults,
        List<@Nullable Map<String, Quantity>> consumed,
        long[][] needs,
        List<Constraint> constraints,
        List<int[][]> values,
        Map<Integer, String> valueFaults) {

    /// Whether some device would make the search fail instead of being skipped.
    public boolean hasFaults() {
        return !faults.isEmpty() || !valueFaults.isEmpty() || (all && !constraints.isEmpty());
    }

    /// The numbered values of a device that a constraint compares.
    public int[] values(int constraint, int device) {
        return values.get(constraint)[device];
    }
}
