package dev.berth.model.api.claim;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectMeta;

/// A template from which one claim per pod is created.
public record ResourceClaimTemplate(ObjectMeta metadata, ResourceClaimTemplateSpec spec)
        implements KubernetesObject {}
