package dev.berth.core.explain;

import dev.berth.core.place.Rejection;
import dev.berth.model.api.PoolId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// Why claims do not fit on one node.
///
/// @param barred why the pod may not use the node at all; nothing when it may
/// @param failure why the question could not be answered there
/// @param undecided true when the search was given up
/// @param pools pools from which nothing is allocated there
/// @param entanglements what prevents it although each request has devices enough by itself
public record NodeReport(
        String node,
        List<Rejection> barred,
        Optional<String> failure,
        boolean undecided,
        List<UnusablePool> pools,
        List<RequestReport> requests,
        List<RequestConflict> entanglements) {

    public NodeReport {
        barred = List.copyOf(barred);
        pools = List.copyOf(pools);
        requests = List.copyOf(requests);
        entanglements = List.copyOf(entanglements);
    }

    /// A pool from which nothing is allocated.
    ///
    /// @param publishing true when its driver may just not be done yet
    public record UnusablePool(PoolId pool, String why, boolean publishing) {}

    /// True when only devices can speak against the node.
    boolean isOpen() {
        return barred.isEmpty();
    }

    /// The same with what prevents it although each request has devices enough.
    NodeReport with(List<RequestConflict> found) {
        return new NodeReport(node, barred, failure, undecided, pools, requests, found);
    }

    /// How many devices are missing at the least, over all requests.
    long missing() {
        var least = new LinkedHashMap<String, Long>();
        for (var request : requests) {
            least.merge(
                    request.claim() + "/" + request.wholeRequest(),
                    Math.max(0, request.needed() - request.left()),
                    Math::min);
        }
        return least.values().stream().mapToLong(Long::longValue).sum();
    }
}
