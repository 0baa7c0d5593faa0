package dev.berth.model.api;

/// What to make claims from, one for each pod.
public record ResourceClaimTemplate(ObjectMeta metadata, ResourceClaimTemplateSpec spec)
        implements KubernetesObject {}
