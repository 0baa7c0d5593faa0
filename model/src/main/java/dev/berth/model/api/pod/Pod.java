package dev.berth.model.api.pod;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectMeta;

/// The fields of a pod that affect scheduling and device allocation.
public record Pod(ObjectMeta metadata, PodSpec spec, PodStatus status)
        implements KubernetesObject {}
