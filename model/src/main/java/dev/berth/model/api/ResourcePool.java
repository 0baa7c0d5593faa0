package dev.berth.model.api;

/// Which pool a slice belongs to, in which generation, and how many slices that generation has.
public record ResourcePool(String name, long generation, long resourceSliceCount) {}
