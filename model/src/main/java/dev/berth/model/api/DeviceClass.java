package dev.berth.model.api;

/// A sort of devices that administrators define and claims name.
public record DeviceClass(ObjectMeta metadata, DeviceClassSpec spec) implements KubernetesObject {}
