package dev.berth.model.api.pod;

/// A reference of a container to a claim of its pod; all requests when `request` is empty.
public record ContainerClaim(String name, String request) {}
