package dev.berth.core.place.score;

import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeScopedFit;
import dev.berth.core.place.PlacementRequest;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.ResourceClaim;
import java.util.List;
import java.util.Optional;

/// DynamicResources: earlier alternatives of prioritized lists score higher.
final class PrioritizedListScore implements NodeScore {

    private static final long MAX_ALTERNATIVES = 8;

    @Override
    public long weight() {
        return 2;
    }

    @Override
    public Optional<long[]> scores(
            EvaluationContext context, List<NodeScopedFit.Candidate> candidates) {
        var request = context.request();
        if (!hasAlternatives(request.toAllocate()) && !hasAlternatives(request.allocated())) {
            return Optional.empty();
        }
        return NodeScores.normalizedByLargest(
                candidates.stream().mapToLong(one -> rawScore(request, one.results())).toArray());
    }

    static boolean hasAlternatives(List<ResourceClaim> claims) {
        for (var claim : claims) {
            for (var request : claim.spec().requests()) {
                if (request instanceof DeviceRequest.FirstAvailable) {
                    return true;
                }
            }
        }
        return false;
    }

    /// @param results allocations of the claims of the request; one for extended resources may
    ///   follow, which has no alternatives
    static long rawScore(PlacementRequest request, List<AllocationResult> results) {
        var sum = 0L;
        for (var i = 0; i < request.toAllocate().size(); i++) {
            sum += rawScore(request.toAllocate().get(i), results.get(i));
        }
        for (var claim : request.allocated()) {
            sum += rawScore(claim, claim.status().allocation().orElseThrow());
        }
        return sum;
    }

    private static long rawScore(ResourceClaim claim, AllocationResult result) {
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
