package dev.berth.model.api.pod;

import java.util.List;

/// The special claim for a pod's extended resources, and the request that serves each container.
public record ExtendedResourceClaimStatus(
        List<RequestMapping> requestMappings, String resourceClaimName) {

    public ExtendedResourceClaimStatus {
        requestMappings = List.copyOf(requestMappings);
    }

    /// The request that serves one extended resource of one container.
    public record RequestMapping(String containerName, String resourceName, String requestName) {}
}
