package dev.berth.core.place;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.snapshot.ClusterSnapshot;
import java.util.Set;
import java.util.function.Supplier;

/// Everything that determines a placement besides the request and the cluster.
///
/// @param features those of all snapshots that are evaluated
/// @param shareIds generates a new share ID per call
/// @param pluginTimer measures the execution of plugins
public record PlacementRules(
        Allocator allocator,
        Set<AllocatorFeature> features,
        PlacementPolicy policy,
        Supplier<String> shareIds,
        PluginTimer pluginTimer) {

    public PlacementRules {
        features = Set.copyOf(features);
    }

    /// Rules of evaluations that are not measured.
    public PlacementRules(
            Allocator allocator,
            Set<AllocatorFeature> features,
            PlacementPolicy policy,
            Supplier<String> shareIds) {
        this(allocator, features, policy, shareIds, PluginTimer.NONE);
    }

    /// Starts the evaluation of a request on a snapshot.
    public PodEvaluation evaluation(PlacementRequest request, ClusterSnapshot snapshot) {
        return new PodEvaluation(EvaluationContext.of(request, snapshot), this);
    }
}
