package dev.berth.core.cel;

/// The feature gates that change what new expressions may say. Stored ones may say everything.
public record CelFeatures(boolean consumableCapacity, boolean listAttributes) {}
