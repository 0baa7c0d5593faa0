package dev.berth.model.api;

/// Labels, annotations and spec of the claims of a template.
public record ResourceClaimTemplateSpec(ObjectMeta metadata, ResourceClaimSpec spec) {}
