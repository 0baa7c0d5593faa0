package dev.berth.model.api;

/// The fields of a pod that affect scheduling and device allocation.
public record Pod(ObjectMeta metadata, PodSpec spec, PodStatus status)
        implements KubernetesObject {}
