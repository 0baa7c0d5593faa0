package dev.berth.core.place;

import dev.berth.core.place.filter.NodeFilters;
import dev.berth.core.place.score.NodeScores;
import dev.berth.core.snapshot.ClusterSnapshot;
import java.util.ArrayList;
import java.util.List;

/// The fields of a request that determine its evaluation, except for names in error messages. Pods
/// of one template have equal keys. Composed of the keys of filters, device allocation and scores.
public record PlacementCacheKey(List<Object> parts) {

    public PlacementCacheKey {
        parts = List.copyOf(parts);
    }

    /// The key of the whole evaluation.
    public static PlacementCacheKey of(PlacementRequest request, ClusterSnapshot snapshot) {
        var context = EvaluationContext.of(request, snapshot);
        var parts = new ArrayList<>();
        NodeFilters.ALL.forEach(filter -> parts.add(filter.cacheKey(context)));
        parts.add(PodDeviceAllocation.cacheKey(context));
        return new PlacementCacheKey(parts);
    }

    /// The key of the [NodeScopedFit] on every node.
    static PlacementCacheKey ofNodeScope(EvaluationContext context) {
        var parts = new ArrayList<>();
        for (var filter : NodeFilters.ALL) {
            if (filter.scope() == NodeFilter.Scope.NODE) {
                parts.add(filter.cacheKey(context));
            }
        }
        parts.add(PodDeviceAllocation.cacheKey(context));
        parts.addAll(NodeScores.cacheKeys(context));
        return new PlacementCacheKey(parts);
    }
}
