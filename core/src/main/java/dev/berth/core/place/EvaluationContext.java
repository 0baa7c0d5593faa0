package dev.berth.core.place;

import dev.berth.core.place.filter.PodVolumes;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.PodResourceRequests;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;

/// A placement request, the snapshot on which it is evaluated, and values derived from both that
/// several filters and scores read.
///
/// @param requests all resources that the pod requests
/// @param nonZeroRequests the same with defaults for containers without CPU or memory requests, for
///   scoring
/// @param volumes the volumes of the pod
public record EvaluationContext(
        PlacementRequest request,
        ClusterSnapshot snapshot,
        Map<String, Quantity> requests,
        Map<String, Quantity> nonZeroRequests,
        PodVolumes volumes) {

    static EvaluationContext of(PlacementRequest request, ClusterSnapshot snapshot) {
        var pod = request.pod();
        return new EvaluationContext(
                request,
                snapshot,
                PodResourceRequests.of(pod),
                PodResourceRequests.nonZero(pod, List.of()),
                PodVolumes.of(pod, snapshot.context().storage(), snapshot.usage().volumes()));
    }

    public Pod pod() {
        return request.pod();
    }
}
