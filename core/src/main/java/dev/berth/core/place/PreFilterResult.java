package dev.berth.core.place;

/// Whether it makes sense to look for a node at all.
public sealed interface PreFilterResult {

    record Ready(PlacementRequest request) implements PreFilterResult {}

    /// No node can help: something about the pod or its claims must change first.
    record Blocked(String reason) implements PreFilterResult {}
}
