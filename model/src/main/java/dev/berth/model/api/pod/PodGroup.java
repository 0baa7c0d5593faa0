package dev.berth.model.api.pod;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// A group of pods that are scheduled together and may share claims.
public record PodGroup(
        ObjectMeta metadata,
        List<PodResourceClaim> resourceClaims,
        Optional<JsonObject> schedulingPolicy,
        List<PodResourceClaimStatus> resourceClaimStatuses)
        implements KubernetesObject {

    public PodGroup {
        resourceClaims = List.copyOf(resourceClaims);
        resourceClaimStatuses = List.copyOf(resourceClaimStatuses);
    }
}
