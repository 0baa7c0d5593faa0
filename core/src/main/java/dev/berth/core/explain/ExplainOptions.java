package dev.berth.core.explain;

import dev.berth.core.allocate.rule.AllocatorFeature;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/// Options of an explanation besides the objects of the cluster.
///
/// @param bindingTimeout timeout for device binding conditions
public record ExplainOptions(Set<AllocatorFeature> features, Duration bindingTimeout, Instant now) {
    public ExplainOptions {
        features = Set.copyOf(features);
    }
}
