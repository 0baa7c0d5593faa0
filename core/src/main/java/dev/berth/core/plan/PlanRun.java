package dev.berth.core.plan;

import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PlacementRules;
import dev.berth.core.place.PodEvaluation;
import dev.berth.core.place.PreFilterResult;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.utilisation.UtilisationCalculator;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.meta.ObjectRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// One pass over the pods of a plan input. Owned by one call of [Planner#plan].
final class PlanRun {

    private final PlacementRules rules;
    private final Planner.Progress progress;
    private final PlanInput input;
    private final ClusterSnapshot start;
    private final PlanPreFilter preFilter;
    private final PlanQuotas quotas;
    private final UtilisationCalculator calculator;
    private final List<PlannedPod> outcomes = new ArrayList<>();
    private final Map<String, String> tolerated = new LinkedHashMap<>();

    PlanRun(PlacementRules rules, Planner.Progress progress, PlanInput input) {
        this.rules = rules;
        this.progress = progress;
        this.input = input;
        this.start = PlanSnapshots.of(input, rules.features());
        this.preFilter = new PlanPreFilter(input.templates(), start.inventory().classes().keySet());
        this.quotas = PlanQuotas.of(input);
        this.calculator = calculator();
    }

    private UtilisationCalculator calculator() {
        return new UtilisationCalculator(rules.allocator(), rules.features());
    }

    Plan plan() {
        var requested = RequestedDevices.of(input, start);
        var before = calculator.of(start, requested);
        var round = new PlanningRound(rules, calculator());
        var now = start;
        for (var pending : input.pendingPods()) {
            now = place(pending, round, now);
            progress.placed(outcomes.size(), input.pendingPods().size());
        }
        return new Plan(
                outcomes,
                requested.stream().map(DeviceDemand::deviceClassName).collect(Collectors.toSet()),
                before,
                calculator.of(now, requested),
                notes(),
                displaced(),
                input.workloads(),
                Optional.empty());
    }

    /// Adds the outcome of a pod, and returns the snapshot after it.
    private ClusterSnapshot place(
            PlanInput.PendingPod pending, PlanningRound round, ClusterSnapshot now) {
        var refusal = quotas.charge(pending.pod());
        var result =
                refusal.<PreFilterResult>map(PreFilterResult.Blocked::new)
                        .orElseGet(() -> preFilter.resolve(pending.pod(), now.usage()));
        if (result instanceof PreFilterResult.Ready(var request)) {
            result =
                    quotas.chargeClaims(request, now.usage())
                            .<PreFilterResult>map(PreFilterResult.Blocked::new)
                            .orElse(result);
        }
        return switch (result) {
            case PreFilterResult.Blocked(var reason) -> {
                outcomes.add(new PlannedPod.Pending(pending.pod(), reason, List.of(), List.of()));
                yield now;
            }
            case PreFilterResult.Ready(var request) -> placed(pending, request, round, now);
        };
    }

    private ClusterSnapshot placed(
            PlanInput.PendingPod pending,
            PlacementRequest request,
            PlanningRound round,
            ClusterSnapshot now) {
        var step = round.place(request, now);
        outcomes.add(step.outcome());
        if (rules.allocator().isLenient()) {
            tolerated(rules.evaluation(request, now), now.inventory(), step.outcome())
                    .ifPresent(text -> tolerated.putIfAbsent(pending.group(), text));
        }
        return step.snapshot();
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

    private List<String> notes() {
        var notes = new ArrayList<>(PlanNotes.of(input.pendingPods(), this::missingObjects));
        tolerated.forEach((group, text) -> notes.add(group + ": " + text));
        notes.addAll(quotas.notes());
        return notes;
    }

    private List<String> missingObjects(PlanInput.PendingPod pending) {
        return switch (preFilter.resolve(pending.pod(), start.usage())) {
            case PreFilterResult.Blocked _ -> List.of();
            case PreFilterResult.Ready(var request) ->
                    rules.evaluation(request, start).missingObjects();
        };
    }

    private SortedMap<ObjectRef, String> displaced() {
        var displaced = new TreeMap<ObjectRef, String>();
        for (var pending : input.pendingPods()) {
            pending.removedNode().ifPresent(node -> displaced.put(pending.pod().ref(), node));
        }
        return displaced;
    }
}
