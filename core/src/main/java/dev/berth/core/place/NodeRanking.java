package dev.berth.core.place;

import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// Selects the best of several fitting nodes by one measure; the next measure decides among these.
///
/// A device policy is an order of such measures. The position in prioritized lists comes before the
/// measures of the policy, because it is the preference of the pod.
public final class NodeRanking {

    private static final long MAX_ALTERNATIVES = 8;

    private NodeRanking() {}

    /// The candidates with the least cost, in the same order.
    public static <C> List<C> least(List<C> fitting, ToLongFunction<? super C> cost) {
        var cheapest = new ArrayList<C>();
        var least = Long.MAX_VALUE;
        for (var one : fitting) {
            var its = cost.applyAsLong(one);
            if (its < least) {
                cheapest.clear();
                least = its;
            }
            if (its == least) {
                cheapest.add(one);
            }
        }
        return cheapest;
    }

    /// The candidates that serve the earliest alternatives of the pod's requests; all when it has
    /// no alternatives.
    ///
    /// @param allocations allocations of the pod's claims on a node
    public static <C> List<C> withEarliestAlternatives(
            PlacementRequest request,
            List<C> fitting,
            Function<? super C, List<NodeFit.ClaimAllocation>> allocations) {
        return hasAlternatives(request.toAllocate())
                ? least(fitting, one -> -alternativeScore(request, allocations.apply(one)))
                : fitting;
    }

    static boolean hasAlternatives(List<ResourceClaim> claims) {
        return claims.stream()
                .flatMap(claim -> claim.spec().requests().stream())
                .anyMatch(DeviceRequest.FirstAvailable.class::isInstance);
    }

    /// Score of the chosen alternatives; earlier alternatives score higher.
    static long alternativeScore(
            PlacementRequest request, List<NodeFit.ClaimAllocation> allocations) {
        var sum = 0L;
        for (var one : allocations) {
            sum += alternativeScore(one.claim(), one.result());
        }
        for (var claim : request.allocated()) {
            sum += alternativeScore(claim, claim.status().allocation().orElseThrow());
        }
        return sum;
    }

    private static long alternativeScore(ResourceClaim claim, AllocationResult result) {
        var sum = 0L;
        for (var request : claim.spec().requests()) {
            if (request instanceof DeviceRequest.FirstAvailable(var name, var all)) {
                for (var i = 0; i < all.size(); i++) {
                    var full = name + "/" + all.get(i).name();
                    if (result.devices().stream().anyMatch(d -> d.request().equals(full))) {
                        sum += MAX_ALTERNATIVES - i;
                    }
                }
            }
        }
        return sum;
    }
}
