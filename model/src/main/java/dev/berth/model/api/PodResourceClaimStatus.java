package dev.berth.model.api;

import java.util.Optional;

/// The claim that was made for an entry of a pod; without a name, none was needed.
public record PodResourceClaimStatus(String name, Optional<String> resourceClaimName) {}
