package dev.berth.core.place;

/// Result of the checks before nodes are evaluated.
public sealed interface PreFilterResult {

    record Ready(PlacementRequest request) implements PreFilterResult {}

    /// No node can fit: the pod or its claims must change first.
    record Blocked(String reason) implements PreFilterResult {}
}
