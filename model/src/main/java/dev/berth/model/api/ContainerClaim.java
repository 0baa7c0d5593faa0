package dev.berth.model.api;

/// A claim of the pod that a container uses; all of it when `request` is empty.
public record ContainerClaim(String name, String request) {}
