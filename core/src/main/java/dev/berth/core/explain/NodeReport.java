package dev.berth.core.explain;

import dev.berth.core.place.Rejection;
import dev.berth.model.api.slice.PoolId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// Why claims do not fit on one node.
///
/// @param rejections why the pod cannot use the node at all; empty when it can
/// @param failure error of the allocator on this node
/// @param undecided true when the search reached its limit
/// @param pools pools from which no devices are allocated on this node
/// @param conflicts why the requests do not fit together although each has enough devices by itself
public record NodeReport(
        String node,
        List<Rejection> rejections,
        Optional<String> failure,
        boolean undecided,
        List<UnusablePool> pools,
        List<RequestReport> requests,
        List<RequestConflict> conflicts) {

    public NodeReport {
        rejections = List.copyOf(rejections);
        pools = List.copyOf(pools);
        requests = List.copyOf(requests);
        conflicts = List.copyOf(conflicts);
    }

    /// A pool from which no devices are allocated.
    ///
    /// @param publishing true when its driver may still be publishing slices
    public record UnusablePool(PoolId pool, String why, boolean publishing) {}

    /// Whether the node passes all filters other than device allocation.
    public boolean isOpen() {
        return rejections.isEmpty();
    }

    /// This report with conflicts between requests.
    public NodeReport with(List<RequestConflict> found) {
        return new NodeReport(node, rejections, failure, undecided, pools, requests, found);
    }

    /// Whether a selector or a class accounts for the failure.
    public boolean hasFaults() {
        return requests.stream()
                .flatMap(request -> request.obstacles().stream())
                .anyMatch(count ->
                        count.obstacle() instanceof Obstacle.Fault
                                || count.obstacle() instanceof Obstacle.NoSuchClass);
    }

    /// Whether the node has devices of the class of every request.
    public boolean hasDevicesOfClasses() {
        return requests.stream().allMatch(request -> request.ofClass() > 0);
    }

    /// The minimum number of missing devices, summed over all requests.
    public long missing() {
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
