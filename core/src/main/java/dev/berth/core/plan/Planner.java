package dev.berth.core.plan;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.allocate.SearchPolicy;
import dev.berth.core.place.ClusterInventory;
import dev.berth.core.place.ClusterUsage;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.place.PodEvaluation;
import dev.berth.core.place.PodPlacer;
import dev.berth.core.place.PreFilterResult;
import dev.berth.core.taint.TaintRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;

/// Places the pods of a plan input in order. Each placement reduces the resources and devices for
/// later pods.
public final class Planner {

    /// Callback for the progress of a plan.
    @FunctionalInterface
    public interface Progress {
        void placed(int done, int all);
    }

    private final Allocator allocator;
    private final Set<AllocatorFeature> features;
    private final SearchPolicy policy;
    private final Supplier<String> shareIds;
    private final Progress progress;

    /// A planner with these features and this policy that fails on the errors on which Kubernetes
    /// fails.
    ///
    /// @param shareIds generates a new share ID per call
    public Planner(
            Set<AllocatorFeature> features,
            SearchPolicy policy,
            Supplier<String> shareIds,
            Progress progress) {
        this(new Allocator(Allocator.DEFAULT_BUDGET), features, policy, shareIds, progress);
    }

    /// A planner with a given allocator, for example a lenient one.
    public Planner(
            Allocator allocator,
            Set<AllocatorFeature> features,
            SearchPolicy policy,
            Supplier<String> shareIds,
            Progress progress) {
        this.allocator = allocator;
        this.features = Set.copyOf(features);
        this.policy = policy;
        this.shareIds = shareIds;
        this.progress = progress;
    }

    public Plan plan(PlanInput input) {
        var slices =
                features.contains(AllocatorFeature.DEVICE_TAINTS)
                        ? input.slices().stream()
                                .map(slice -> TaintRules.apply(slice, input.taintRules()))
                                .toList()
                        : input.slices();
        var inventory =
                ClusterInventory.of(
                        input.nodes(), slices, input.classes(), PlacementFeatures.rules(features));
        var placer =
                new PodPlacer(inventory, input.context(), allocator, features, policy, shareIds);
        var preFilter = new PlanPreFilter(input.templates(), inventory.classes().keySet());
        var deviceCounts = new DeviceCounts(inventory);
        var start = ClusterUsage.of(input.pods(), input.claims());
        var state = start;
        var round = new PlanningRound(placer, deviceCounts);
        var outcomes = new ArrayList<PlannedPod>();
        var tolerated = new LinkedHashMap<String, String>();
        for (var pending : input.pendingPods()) {
            switch (preFilter.resolve(pending.pod(), state)) {
                case PreFilterResult.Blocked(var reason) ->
                        outcomes.add(
                                new PlannedPod.Pending(
                                        pending.pod(), reason, List.of(), List.of()));
                case PreFilterResult.Ready(var request) -> {
                    var step = round.place(pending.group(), request, state);
                    outcomes.add(step.outcome());
                    if (allocator.isLenient()) {
                        tolerated(placer.evaluation(request, state), inventory, step.outcome())
                                .ifPresent(text -> tolerated.putIfAbsent(pending.group(), text));
                    }
                    state = step.state();
                }
            }
            progress.placed(outcomes.size(), input.pendingPods().size());
        }
        var notes =
                new ArrayList<>(
                        PlanNotes.of(
                                input.pendingPods(),
                                pending -> missingObjects(placer, preFilter, pending, start)));
        tolerated.forEach((group, text) -> notes.add(group + ": " + text));
        return new Plan(
                outcomes,
                deviceCounts.usage(start),
                deviceCounts.usage(state),
                notes,
                Optional.empty());
    }

    private static Optional<String> tolerated(
            PodEvaluation evaluation, ClusterInventory inventory, PlannedPod outcome) {
        return outcome instanceof PlannedPod.Placed placed
                ? inventory
                        .node(placed.node())
                        .map(evaluation::tolerated)
                        .filter(texts -> !texts.isEmpty())
                        .map(texts ->
                                "ignored on node %s, where Kubernetes would fail: %s"
                                        .formatted(placed.node(), String.join("; ", texts)))
                : Optional.empty();
    }

    private static List<String> missingObjects(
            PodPlacer placer,
            PlanPreFilter preFilter,
            PlanInput.PendingPod pending,
            ClusterUsage state) {
        return switch (preFilter.resolve(pending.pod(), state)) {
            case PreFilterResult.Blocked _ -> List.of();
            case PreFilterResult.Ready(var request) ->
                    placer.evaluation(request, state).missingObjects();
        };
    }

    /// The plan with the smallest number of node copies, up to a limit, with which all pods fit;
    /// with the limit when that is too small.
    ///
    /// Binary search: assumes that more nodes never fit fewer pods. Each number is planned in full,
    /// so that the found number has a plan.
    public Plan plan(PlanInput input, NodeCopies copies, int limit) {
        var plan = plan(input);
        if (plan.everythingFits()) {
            return plan.with(new Plan.Growth(copies.node(), limit, OptionalInt.of(0)));
        }
        var best = plan(copies.added(input, limit));
        if (!best.everythingFits()) {
            return best.with(new Plan.Growth(copies.node(), limit, OptionalInt.empty()));
        }
        var tooFew = 0;
        var enough = limit;
        while (enough - tooFew > 1) {
            var middle = tooFew + (enough - tooFew) / 2;
            var tried = plan(copies.added(input, middle));
            if (tried.everythingFits()) {
                enough = middle;
                best = tried;
            } else {
                tooFew = middle;
            }
        }
        return best.with(new Plan.Growth(copies.node(), limit, OptionalInt.of(enough)));
    }
}
