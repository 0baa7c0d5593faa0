package dev.berth.dashboard.pending;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.explain.ClusterObjects;
import dev.berth.core.explain.DeviceMatrix;
import dev.berth.core.explain.ExplainOptions;
import dev.berth.core.explain.Explainer;
import dev.berth.core.explain.Explanation;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.schedule.ClaimInspection;
import dev.berth.dashboard.fleet.FleetModel;
import dev.berth.dashboard.watch.ClusterWatch;
import dev.berth.dashboard.watch.WatchedObjects;
import dev.berth.model.api.meta.ObjectRef;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Explanations of pods and claims. One is computed at a time; the last ones are kept for a few
/// seconds, since several viewers ask for the same.
public final class PodExplanations {

    private static final Duration KEPT = Duration.ofSeconds(5);

    /// Limit of kept explanations.
    private static final int MAX_KEPT = 500;

    private final WatchedObjects objects;
    private final FleetModel fleet;
    private final Explainer explainer;
    private final Clock clock;

    // Guarded by this.
    private final Map<ObjectRef, Kept> kept = new LinkedHashMap<>();

    private record Kept(Explanation explanation, Instant time) {}

    /// The result for a pod or claim.
    ///
    /// @param matrix all devices of a node, if they were asked for
    public record Answer(Explanation explanation, Optional<DeviceMatrix> matrix) {}

    public PodExplanations(
            ClusterWatch watch, FleetModel fleet, Allocator allocator, Clock clock) {
        this.objects = new WatchedObjects(watch);
        this.fleet = fleet;
        this.explainer = new Explainer(allocator);
        this.clock = clock;
    }

    /// Explains a pod; empty when it does not exist.
    synchronized Optional<Explanation> ofPod(ObjectRef pod) {
        var known = kept.get(pod);
        if (known != null && isFresh(known)) {
            return Optional.of(known.explanation);
        }
        var lookup = objects.of(fleet.snapshot()).ofPod(options(), pod);
        if (lookup instanceof ClusterObjects.Lookup.Missing) {
            return Optional.empty();
        }
        var explanation = explainer.explain(lookup);
        kept.remove(pod);
        if (kept.size() == MAX_KEPT) {
            kept.remove(kept.keySet().iterator().next());
        }
        kept.put(pod, new Kept(explanation, clock.instant()));
        return Optional.of(explanation);
    }

    private boolean isFresh(Kept one) {
        return clock.instant().isBefore(one.time.plus(KEPT));
    }

    /// Explains a pod or claim, with all devices of a node.
    synchronized Optional<Answer> of(ObjectRef ref, boolean isClaim, Optional<String> node) {
        var all = objects.of(fleet.snapshot());
        var lookup = isClaim ? all.ofClaim(options(), ref) : all.ofPod(options(), ref);
        return switch (lookup) {
            case ClusterObjects.Lookup.Missing _ -> Optional.empty();
            case ClusterObjects.Lookup.Blocked _ ->
                    Optional.of(new Answer(explainer.explain(lookup), Optional.empty()));
            case ClusterObjects.Lookup.Found(var inputs) ->
                    Optional.of(
                            new Answer(
                                    explainer.explain(inputs),
                                    node.flatMap(name -> explainer.matrix(inputs, name))));
        };
    }

    private ExplainOptions options() {
        return new ExplainOptions(
                PlacementFeatures.of(FeatureGates.defaults()),
                ClaimInspection.DEFAULT_BINDING_TIMEOUT,
                clock.instant());
    }
}
