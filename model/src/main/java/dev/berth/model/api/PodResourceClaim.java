package dev.berth.model.api;

/// A claim that a pod or pod group uses, under the name by which containers refer to it.
public record PodResourceClaim(String name, PodClaimSource source) {}
