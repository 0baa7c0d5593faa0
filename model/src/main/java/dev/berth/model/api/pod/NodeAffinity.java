package dev.berth.model.api.pod;

import dev.berth.model.api.selector.NodeSelector;
import dev.berth.model.api.selector.NodeSelectorTerm;
import java.util.List;
import java.util.Optional;

/// Required and preferred node affinity of a pod.
public record NodeAffinity(Optional<NodeSelector> required, List<Preference> preferred) {

    public NodeAffinity {
        preferred = List.copyOf(preferred);
    }

    /// A preferred term and its weight.
    public record Preference(long weight, NodeSelectorTerm term) {}
}
