package dev.berth.model.api;

import java.util.List;
import java.util.Optional;

/// Nodes that a pod must have, and nodes that it prefers.
public record NodeAffinity(Optional<NodeSelector> required, List<Preference> preferred) {

    public NodeAffinity {
        preferred = List.copyOf(preferred);
    }

    /// A wish and what it weighs against others.
    public record Preference(long weight, NodeSelectorTerm term) {}
}
