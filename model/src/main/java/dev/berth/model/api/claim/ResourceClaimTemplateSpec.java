package dev.berth.model.api.claim;

import dev.berth.model.api.meta.ObjectMeta;

/// Labels, annotations and spec of the claims of a template.
public record ResourceClaimTemplateSpec(ObjectMeta metadata, ResourceClaimSpec spec) {}
