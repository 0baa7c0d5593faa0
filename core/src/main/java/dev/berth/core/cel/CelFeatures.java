package dev.berth.core.cel;

/// Feature gates that enable CEL features in new expressions. Stored expressions may use all
/// features.
public record CelFeatures(boolean consumableCapacity, boolean listAttributes) {}
