package dev.berth.model.api;

/// The parts of a pod that decide where it runs and which devices it gets.
public record Pod(ObjectMeta metadata, PodSpec spec, PodStatus status)
        implements KubernetesObject {}
