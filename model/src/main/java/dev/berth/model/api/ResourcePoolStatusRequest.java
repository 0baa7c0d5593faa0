package dev.berth.model.api;

import java.util.Optional;

/// A one-time request for the status of pools.
public record ResourcePoolStatusRequest(
        ObjectMeta metadata,
        ResourcePoolStatusRequestSpec spec,
        Optional<ResourcePoolStatusRequestStatus> status)
        implements KubernetesObject {}
