package dev.berth.model.api.slice;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectMeta;
import java.util.Optional;

/// A one-time request for the status of pools.
public record ResourcePoolStatusRequest(
        ObjectMeta metadata,
        ResourcePoolStatusRequestSpec spec,
        Optional<ResourcePoolStatusRequestStatus> status)
        implements KubernetesObject {}
