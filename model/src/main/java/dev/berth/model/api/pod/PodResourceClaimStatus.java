package dev.berth.model.api.pod;

import java.util.Optional;

/// The claim created for an entry of a pod; without a name, no claim was needed.
public record PodResourceClaimStatus(String name, Optional<String> resourceClaimName) {}
