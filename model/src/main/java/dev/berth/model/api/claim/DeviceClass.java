package dev.berth.model.api.claim;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectMeta;

/// A device class, defined by administrators and referenced by claims.
public record DeviceClass(ObjectMeta metadata, DeviceClassSpec spec) implements KubernetesObject {}
