package dev.berth.model.api.slice;

/// Pool of a slice, its generation, and the number of slices of that generation.
public record ResourcePool(String name, long generation, long resourceSliceCount) {}
