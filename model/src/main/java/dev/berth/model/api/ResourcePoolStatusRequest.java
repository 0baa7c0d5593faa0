package dev.berth.model.api;

import java.util.Optional;

/// A question about pools, answered once in its status.
public record ResourcePoolStatusRequest(
        ObjectMeta metadata,
        ResourcePoolStatusRequestSpec spec,
        Optional<ResourcePoolStatusRequestStatus> status)
        implements KubernetesObject {}
