package dev.berth.model.api.pod;

import java.util.Optional;

/// Node affinity, pod affinity and pod anti-affinity of a pod.
public record Affinity(
        Optional<NodeAffinity> nodeAffinity,
        Optional<PodAffinity> podAffinity,
        Optional<PodAffinity> podAntiAffinity) {}
