package dev.berth.model.api;

/// The fields of a PersistentVolume that affect scheduling.
public record PersistentVolume(ObjectMeta metadata, PersistentVolumeSpec spec, String phase)
        implements KubernetesObject {}
