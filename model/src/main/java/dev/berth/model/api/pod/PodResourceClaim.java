package dev.berth.model.api.pod;

/// An entry of `resourceClaims` of a pod or pod group, with the name by which containers refer to
/// it.
public record PodResourceClaim(String name, PodClaimSource source) {}
