package dev.berth.model.api.storage;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectMeta;

/// The fields of a PersistentVolume that affect scheduling.
public record PersistentVolume(ObjectMeta metadata, PersistentVolumeSpec spec, String phase)
        implements KubernetesObject {}
