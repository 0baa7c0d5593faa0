package dev.berth.model.api.pod;

import java.util.List;

/// Required and preferred terms of pod affinity or pod anti-affinity.
public record PodAffinity(List<PodAffinityTerm> required, List<Preference> preferred) {

    public static final PodAffinity NONE = new PodAffinity(List.of(), List.of());

    public PodAffinity {
        required = List.copyOf(required);
        preferred = List.copyOf(preferred);
    }

    /// A preferred term and its weight.
    public record Preference(long weight, PodAffinityTerm term) {}
}
