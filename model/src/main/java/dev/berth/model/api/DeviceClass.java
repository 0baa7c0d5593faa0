package dev.berth.model.api;

/// A device class, defined by administrators and referenced by claims.
public record DeviceClass(ObjectMeta metadata, DeviceClassSpec spec) implements KubernetesObject {}
