package dev.berth.model.api;

/// The parts of a claim to storage that decide which nodes its pods can use.
public record PersistentVolumeClaim(ObjectMeta metadata, PersistentVolumeClaimSpec spec)
        implements KubernetesObject {}
