package dev.berth.core.schedule;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.inventory.NodeSelectorMatcher;
import dev.berth.core.place.ClaimResolver;
import dev.berth.core.place.ClaimUnusable;
import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.FitCache;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.NodeFits;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PlacementRules;
import dev.berth.core.place.PluginTimer;
import dev.berth.core.place.PreFilterResult;
import dev.berth.core.place.Rejection;
import dev.berth.core.place.UnusableClaim;
import dev.berth.core.place.filter.PodVolumes;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.pod.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// Decides the placement of pods one at a time.
///
/// An error on one node rejects that node only.
public final class PlacementDecider {

    /// Options of placement decisions.
    ///
    /// @param bindingTimeout timeout of binding conditions
    /// @param groupsOwnClaims whether pods may use claims of their PodGroup
    /// @param shareIds generates a new share ID per call
    public record Options(
            Set<AllocatorFeature> features,
            PlacementPolicy policy,
            Duration bindingTimeout,
            boolean groupsOwnClaims,
            Supplier<String> shareIds) {
        public Options {
            features = Set.copyOf(features);
        }
    }

    private final Options options;
    private final PlacementRules rules;
    private final FitCache fitCache;
    private final NodeSample sample = new NodeSample();

    public PlacementDecider(Options options, Allocator allocator) {
        this(options, allocator, PluginTimer.NONE);
    }

    public PlacementDecider(Options options, Allocator allocator, PluginTimer pluginTimer) {
        this.options = options;
        this.rules =
                new PlacementRules(
                        allocator, options.features, options.policy, options.shareIds, pluginTimer);
        this.fitCache = new FitCache(rules);
    }

    /// Decides about one pod.
    public SchedulingDecision decide(Pod pod, ClusterSnapshot snapshot, Instant now) {
        var resolver =
                ClaimResolver.awaiting(
                        snapshot.usage()::claim,
                        snapshot.context().groups()::find,
                        options.groupsOwnClaims);
        return switch (resolver.resolve(pod)) {
            case PreFilterResult.Blocked(var reason) -> new SchedulingDecision.Blocked(reason);
            case PreFilterResult.Ready(var request) -> decide(request, snapshot, now);
        };
    }

    private SchedulingDecision decide(
            PlacementRequest request, ClusterSnapshot snapshot, Instant now) {
        var nodes = snapshot.inventory().size();
        var volumes = volumeProblem(request.pod(), snapshot);
        if (volumes.isPresent()) {
            var message = FitErrorSummary.message(nodes, volumes.get());
            return new SchedulingDecision.Unschedulable(
                    request, message, ClusterEvent.VOLUME_EVENTS, List.of());
        }
        var unusable = inspection(snapshot, now).of(request.pod(), request.allocated());
        var refusal =
                unusable.stream()
                        .filter(reason -> reason.cause() instanceof UnusableClaim.ReservationsFull)
                        .map(Rejection::text)
                        .findFirst()
                        .or(() ->
                                ClaimChecks.unsatisfiableRequest(
                                        request, snapshot.inventory().classes().keySet()));
        if (refusal.isPresent()) {
            var message = FitErrorSummary.message(nodes, refusal.get());
            return new SchedulingDecision.Unschedulable(
                    request, message, ClusterEvent.DEVICE_EVENTS, List.of());
        }
        if (unusable.isEmpty()) {
            return place(request, snapshot);
        }
        var message = FitErrorSummary.message(nodes, nodes + " " + unusable.getFirst().text());
        return new SchedulingDecision.Unschedulable(
                request,
                message,
                ClusterEvent.DEVICE_EVENTS,
                ClaimChecks.idle(request.pod(), claims(request, unusable), snapshot));
    }

    private static Optional<String> volumeProblem(Pod pod, ClusterSnapshot snapshot) {
        return pod.spec().volumes().isEmpty()
                ? Optional.empty()
                : PodVolumes.of(pod, snapshot.context().storage(), snapshot.usage().volumes())
                        .problem();
    }

    private ClaimInspection inspection(ClusterSnapshot snapshot, Instant now) {
        return new ClaimInspection(
                snapshot.inventory(),
                snapshot.usage(),
                snapshot::isAssumed,
                options.features,
                options.bindingTimeout,
                now);
    }

    private static List<ResourceClaim> claims(
            PlacementRequest request, List<ClaimUnusable> unusable) {
        return request.allocated().stream()
                .filter(claim -> unusable.stream().anyMatch(one -> one.claim().equals(claim.ref())))
                .toList();
    }

    private SchedulingDecision place(PlacementRequest request, ClusterSnapshot snapshot) {
        var there = onNodeOfAllocatedClaim(request, snapshot);
        if (there.isPresent()) {
            return placed(request, there.get());
        }
        var nodeFits = fitCache.evaluate(request, snapshot);
        var fits = best(nodeFits).flatMap(nodeFits::withNewShareIds);
        if (fits.isPresent()) {
            return placed(request, fits.get());
        }
        var summary = new FitErrorSummary();
        nodeFits.forEachRejection((_, rejection) -> summary.add(rejection));
        return unplaced(request, summary, nodeFits.size(), snapshot);
    }

    private static SchedulingDecision placed(PlacementRequest request, NodeFit.Fits fits) {
        var withExtended = fits.extended().map(one -> request.with(one.claim())).orElse(request);
        return new SchedulingDecision.Placed(withExtended, fits);
    }

    /// The best node: of all nodes if the policy ranks them, else of a sample.
    private Optional<NodeFit.Fits> best(NodeFits nodeFits) {
        return nodeFits.areRanked() ? nodeFits.best() : nodeFits.best(sample.of(nodeFits));
    }

    /// The placement of a pod with a claim that is allocated on one node. Other nodes need not be
    /// evaluated if it fits there.
    private Optional<NodeFit.Fits> onNodeOfAllocatedClaim(
            PlacementRequest request, ClusterSnapshot snapshot) {
        for (var claim : request.allocated()) {
            var only =
                    claim.status()
                            .allocation()
                            .flatMap(allocation -> allocation.nodeSelector())
                            .flatMap(NodeSelectorMatcher::onlyNode)
                            .flatMap(snapshot.inventory()::node);
            if (only.isPresent()) {
                return rules.evaluation(request, snapshot).fit(only.get())
                                instanceof NodeFit.Fits fits
                        ? Optional.of(fits)
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static SchedulingDecision unplaced(
            PlacementRequest request,
            FitErrorSummary summary,
            int nodes,
            ClusterSnapshot snapshot) {
        var elsewhere =
                request.allocated().stream()
                        .filter(claim -> summary.unavailableClaims().contains(claim.ref()))
                        .toList();
        return new SchedulingDecision.Unschedulable(
                request,
                summary.message(nodes),
                summary.requeueOn(),
                ClaimChecks.idle(request.pod(), elsewhere, snapshot));
    }
}
