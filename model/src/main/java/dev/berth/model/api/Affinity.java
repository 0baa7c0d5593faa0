package dev.berth.model.api;

import java.util.Optional;

/// Which nodes and which neighbours a pod needs or likes.
public record Affinity(
        Optional<NodeAffinity> nodeAffinity,
        Optional<PodAffinity> podAffinity,
        Optional<PodAffinity> podAntiAffinity) {}
