package dev.berth.core.plan;

import dev.berth.core.place.FitCache;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PlacementRules;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.Placement;
import dev.berth.model.api.claim.ResourceClaim;
import java.util.Optional;

/// A cluster in which pods arrive and leave one after the other, placed as a plan places them.
public final class PlacementReplay {

    private final FitCache fitCache;
    private ClusterSnapshot snapshot;

    /// @param start the cluster before the first arrival
    public PlacementReplay(PlacementRules rules, ClusterSnapshot start) {
        this.fitCache = new FitCache(rules);
        this.snapshot = start;
    }

    /// Places a pod; empty if it does not fit. The cluster then is as before.
    public Optional<Placement> arrive(PlacementRequest request) {
        var nodeFits = fitCache.evaluate(request, snapshot);
        var placement = nodeFits.best().flatMap(nodeFits::withNewShareIds).map(request::placement);
        if (placement.isPresent()) {
            snapshot = snapshot.with(snapshot.usage().with(placement.get()));
        }
        return placement;
    }

    /// Removes a pod and its claims.
    public void leave(Placement placement) {
        var usage = snapshot.usage().withoutPod(placement.pod().ref());
        for (ResourceClaim claim : placement.claims()) {
            usage = usage.withoutClaim(claim.ref());
        }
        snapshot = snapshot.with(usage);
    }
}
