package dev.berth.core.plan;

import dev.berth.core.place.ClaimResolver;
import dev.berth.core.place.ClaimResolver.GeneratedClaims;
import dev.berth.core.place.ClaimUnusable;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PreFilterResult;
import dev.berth.core.place.UnusableClaim;
import dev.berth.core.schedule.ClaimChecks;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.pod.Pod;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/// The checks of a pod before nodes are evaluated: scheduling gates, claims, reservations and
/// device classes.
final class PlanPreFilter {

    /// Limit of `reservedFor` in the API.
    private static final int MAX_USERS = 256;

    private final GeneratedClaims.Instantiated generated;
    private final Set<String> classes;

    /// @param classes names of the existing device classes
    PlanPreFilter(Collection<ResourceClaimTemplate> templates, Set<String> classes) {
        this.generated = GeneratedClaims.Instantiated.from(templates);
        this.classes = Set.copyOf(classes);
    }

    PreFilterResult resolve(Pod pod, ClusterUsage state) {
        if (!pod.spec().schedulingGates().isEmpty()) {
            return new PreFilterResult.Blocked(
                    "Scheduling is blocked due to non-empty scheduling gates "
                            + pod.spec().schedulingGates());
        }
        var result = ClaimResolver.instantiating(state::claim, generated).resolve(pod);
        return result instanceof PreFilterResult.Ready(var request)
                ? problem(request).<PreFilterResult>map(PreFilterResult.Blocked::new).orElse(result)
                : result;
    }

    private Optional<String> problem(PlacementRequest request) {
        return request.allocated().stream()
                .filter(claim -> isFull(claim, request.pod()))
                .findFirst()
                .map(claim ->
                        new ClaimUnusable(
                                        claim.ref(), new UnusableClaim.ReservationsFull(MAX_USERS))
                                .text())
                .or(() -> ClaimChecks.unsatisfiableRequest(request, classes));
    }

    /// Consumers are compared by name as well, since pods of manifests have no UIDs.
    private static boolean isFull(ResourceClaim claim, Pod pod) {
        var users = claim.status().reservedFor();
        return users.size() >= MAX_USERS
                && !claim.isReservedFor(pod)
                && users.stream().noneMatch(user -> user.name().equals(pod.metadata().name()));
    }
}
