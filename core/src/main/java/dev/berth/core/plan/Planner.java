package dev.berth.core.plan;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.place.PlacementRules;
import dev.berth.core.place.PodEvaluation;
import dev.berth.core.place.PreFilterResult;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.core.taint.TaintRules;
import dev.berth.core.utilisation.ClusterUtilisation;
import dev.berth.core.utilisation.UtilisationCalculator;
import dev.berth.model.api.claim.DeviceDemand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Places the pods of a plan input in order. Each placement reduces the resources and devices for
/// later pods.
public final class Planner {

    /// Callback for the progress of a plan.
    @FunctionalInterface
    public interface Progress {
        void placed(int done, int all);
    }

    private final PlacementRules rules;
    private final Progress progress;

    /// A planner with these features and this policy that fails on the errors on which Kubernetes
    /// fails.
    ///
    /// @param shareIds generates a new share ID per call
    public Planner(
            Set<AllocatorFeature> features,
            PlacementPolicy policy,
            Supplier<String> shareIds,
            Progress progress) {
        this(new Allocator(Allocator.DEFAULT_BUDGET), features, policy, shareIds, progress);
    }

    /// A planner with a given allocator, for example a lenient one.
    public Planner(
            Allocator allocator,
            Set<AllocatorFeature> features,
            PlacementPolicy policy,
            Supplier<String> shareIds,
            Progress progress) {
        this.rules = new PlacementRules(allocator, features, policy, shareIds);
        this.progress = progress;
    }

    /// The plan after changes. Its utilisation before is that without the changes.
    public Plan plan(PlanInput input, PlanChanges changes) {
        return changes.isEmpty()
                ? plan(input)
                : plan(changes.applied(input)).withBefore(utilisation(input));
    }

    private ClusterUtilisation utilisation(PlanInput input) {
        var start = snapshot(input);
        return calculator().of(start, RequestedDevices.of(input, start));
    }

    private UtilisationCalculator calculator() {
        return new UtilisationCalculator(rules.allocator(), rules.features());
    }

    public Plan plan(PlanInput input) {
        var start = snapshot(input);
        var inventory = start.inventory();
        var preFilter = new PlanPreFilter(input.templates(), inventory.classes().keySet());
        var calculator = calculator();
        var requested = RequestedDevices.of(input, start);
        var before = calculator.of(start, requested);
        var now = start;
        var round = new PlanningRound(rules, calculator());
        var outcomes = new ArrayList<PlannedPod>();
        var tolerated = new LinkedHashMap<String, String>();
        for (var pending : input.pendingPods()) {
            switch (preFilter.resolve(pending.pod(), now.usage())) {
                case PreFilterResult.Blocked(var reason) ->
                        outcomes.add(
                                new PlannedPod.Pending(
                                        pending.pod(), reason, List.of(), List.of()));
                case PreFilterResult.Ready(var request) -> {
                    var step = round.place(request, now);
                    outcomes.add(step.outcome());
                    if (rules.allocator().isLenient()) {
                        tolerated(rules.evaluation(request, now), inventory, step.outcome())
                                .ifPresent(text -> tolerated.putIfAbsent(pending.group(), text));
                    }
                    now = step.snapshot();
                }
            }
            progress.placed(outcomes.size(), input.pendingPods().size());
        }
        var notes =
                new ArrayList<>(
                        PlanNotes.of(
                                input.pendingPods(),
                                pending -> missingObjects(preFilter, pending, start)));
        tolerated.forEach((group, text) -> notes.add(group + ": " + text));
        return new Plan(
                outcomes,
                requested.stream().map(DeviceDemand::deviceClassName).collect(Collectors.toSet()),
                before,
                calculator.of(now, requested),
                notes,
                Optional.empty());
    }

    private ClusterSnapshot snapshot(PlanInput input) {
        var features = rules.features();
        var slices =
                features.contains(AllocatorFeature.DEVICE_TAINTS)
                        ? input.slices().stream()
                                .map(slice -> TaintRules.apply(slice, input.taintRules()))
                                .toList()
                        : input.slices();
        var inventory =
                ClusterInventory.of(
                        input.nodes(), slices, input.classes(), PlacementFeatures.rules(features));
        return ClusterSnapshot.of(inventory, ClusterUsage.of(input.pods(), input.claims()))
                .with(input.context());
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

    private List<String> missingObjects(
            PlanPreFilter preFilter, PlanInput.PendingPod pending, ClusterSnapshot snapshot) {
        return switch (preFilter.resolve(pending.pod(), snapshot.usage())) {
            case PreFilterResult.Blocked _ -> List.of();
            case PreFilterResult.Ready(var request) ->
                    rules.evaluation(request, snapshot).missingObjects();
        };
    }

    /// The plan with the smallest number of node copies, up to a limit, with which all pods fit;
    /// with the limit when that is too small.
    ///
    /// Binary search: assumes that more nodes never fit fewer pods. Each number is planned in full,
    /// so that the found number has a plan.
    ///
    /// @param changes changes to the cluster before nodes are added
    public Plan plan(PlanInput unchanged, PlanChanges changes, NodeCopies copies, int limit) {
        var input = changes.applied(unchanged);
        return grown(input, copies, limit).withBefore(utilisation(unchanged));
    }

    private Plan grown(PlanInput input, NodeCopies copies, int limit) {
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
