package dev.berth.core.place.pack;

/// The resources and devices that a node can still allocate.
///
/// @param cpu in thousandths of a core
/// @param memory in bytes
public record NodeFreeCapacity(NodeSupply devices, double cpu, double memory) {}
