package dev.berth.model.api;

import java.util.List;

/// Pods that a pod must have near it, and pods that it prefers; or, as anti-affinity, pods that it
/// keeps away from.
public record PodAffinity(List<PodAffinityTerm> required, List<Preference> preferred) {

    public static final PodAffinity NONE = new PodAffinity(List.of(), List.of());

    public PodAffinity {
        required = List.copyOf(required);
        preferred = List.copyOf(preferred);
    }

    /// A wish and what it weighs against others.
    public record Preference(long weight, PodAffinityTerm term) {}
}
