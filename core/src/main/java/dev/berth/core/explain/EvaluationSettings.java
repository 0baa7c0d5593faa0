package dev.berth.core.explain;

import dev.berth.core.allocate.AllocatorFeature;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/// By what a cluster is judged besides its objects.
///
/// @param bindingPatience how long devices may take to be attached
public record EvaluationSettings(
        Set<AllocatorFeature> features, Duration bindingPatience, Instant now) {
    public EvaluationSettings {
        features = Set.copyOf(features);
    }
}
