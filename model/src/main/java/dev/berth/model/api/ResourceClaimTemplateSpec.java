package dev.berth.model.api;

/// The labels, annotations and wishes that each claim of a template gets.
public record ResourceClaimTemplateSpec(ObjectMeta metadata, ResourceClaimSpec spec) {}
