package dev.berth.core.utilisation;

/// The devices of a class that only one node can access.
///
/// @param available how many devices of the class can be allocated at the same time now
public record NodeUtilisation(Utilisation total, long available) {}
