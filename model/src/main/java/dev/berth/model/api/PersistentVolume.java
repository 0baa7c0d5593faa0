package dev.berth.model.api;

/// The parts of a volume that decide who can use it and where.
public record PersistentVolume(ObjectMeta metadata, PersistentVolumeSpec spec, String phase)
        implements KubernetesObject {}
