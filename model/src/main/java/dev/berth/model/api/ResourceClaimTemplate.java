package dev.berth.model.api;

/// A template from which one claim per pod is created.
public record ResourceClaimTemplate(ObjectMeta metadata, ResourceClaimTemplateSpec spec)
        implements KubernetesObject {}
