package dev.berth.control.disruption;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.CacheIndex;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.cache.ObjectCache.Listener;
import dev.berth.client.event.EventRecorder;
import dev.berth.control.loop.KeyedControlLoop;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.disruption.DisruptionBudget;
import dev.berth.core.disruption.DisruptionBudgetStatus;
import dev.berth.core.disruption.StaleDisruption;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Kinds;
import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.event.Event;
import dev.berth.model.event.InvolvedObject;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.workqueue.WorkResult;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Maintains the status of PodDisruptionBudgets, by which the eviction subresource allows or
/// refuses evictions, and resets `DisruptionTarget` conditions of pods that were not deleted.
public final class DisruptionController extends KeyedControlLoop<DisruptionKey> {

    private static final ResourcePath BUDGETS =
            new ResourcePath("policy", "v1", "poddisruptionbudgets");
    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);

    private final Cluster cluster;
    private final EventRecorder events;
    private final ObjectCache<JsonObject> budgets;
    private final ObjectCache<Pod> pods;
    private final OwnerScales scales;
    private final CacheIndex<String, JsonObject> budgetsByNamespace;
    private final CacheIndex<String, Pod> podsByNamespace;

    public DisruptionController(Cluster cluster, SharedCaches caches, EventRecorder events) {
        this.cluster = cluster;
        this.events = events;
        this.budgets = needs(caches.of(BUDGETS));
        this.pods = needs(caches.of(Kinds.POD));
        this.scales = new OwnerScales(caches);
        scales.caches().forEach(this::needs);
        this.budgetsByNamespace =
                budgets.index(one -> List.of(one.objectOrEmpty("metadata").text("namespace")));
        this.podsByNamespace = pods.index(pod -> List.of(pod.metadata().namespace()));
        budgets.addListener(
                Listener.of((_, after) ->
                        after.map(DisruptionBudget::of)
                                .ifPresent(one -> add(new DisruptionKey.OfBudget(one.ref())))));
        pods.addListener(Listener.of(this::onPod));
    }

    private void onPod(Optional<Pod> before, Optional<Pod> after) {
        before.ifPresent(pod -> addAll(budgetsOf(pod)));
        after.ifPresent(pod -> {
            var covering = budgetsOf(pod);
            addAll(covering);
            var isNew = before.filter(one -> hasSameLabels(one, pod)).isEmpty();
            if (isNew && covering.size() > 1) {
                recordSeveral(pod, covering.getFirst());
            }
            if (StaleDisruption.at(pod).isPresent()) {
                add(new DisruptionKey.OfPod(pod.ref()));
            }
        });
    }

    private static boolean hasSameLabels(Pod one, Pod other) {
        return one.metadata().labels().equals(other.metadata().labels());
    }

    /// The budgets that cover a pod, by name.
    private List<DisruptionBudget> budgetsOf(Pod pod) {
        return budgetsByNamespace.find(pod.metadata().namespace()).stream()
                .map(DisruptionBudget::of)
                .filter(budget -> budget.selects(pod))
                .sorted(Comparator.comparing(DisruptionBudget::ref))
                .toList();
    }

    private void addAll(List<DisruptionBudget> covering) {
        covering.forEach(budget -> add(new DisruptionKey.OfBudget(budget.ref())));
    }

    private void recordSeveral(Pod pod, DisruptionBudget first) {
        events.record(
                Event.warning(
                        DisruptionBudgetStatus.SOURCE,
                        InvolvedObject.of(pod),
                        "MultiplePodDisruptionBudgets",
                        "Pod \"%s\"/\"%s\" matches multiple PodDisruptionBudgets.  Chose \"%s\" arbitrarily."
                                .formatted(
                                        pod.metadata().namespace(),
                                        pod.metadata().name(),
                                        first.ref().name())));
    }

    @Override
    protected WorkResult reconcile(DisruptionKey key, Instant now) {
        return switch (key) {
            case DisruptionKey.OfBudget(var ref) ->
                    budgets.find(ref)
                            .map(DisruptionBudget::of)
                            .map(budget -> reconcile(budget, now))
                            .orElse(WorkResult.DONE);
            case DisruptionKey.OfPod(var ref) ->
                    pods.find(ref).map(pod -> reconcile(pod, now)).orElse(WorkResult.DONE);
        };
    }

    private WorkResult reconcile(DisruptionBudget budget, Instant now) {
        var namespace = budget.ref().namespace();
        var covered = podsByNamespace.find(namespace).stream().filter(budget::selects).toList();
        var change =
                DisruptionBudgetStatus.change(
                        budget, covered, owner -> scales.of(namespace, owner), now);
        change.events().forEach(events::record);
        var result = change.status().map(status -> write(budget, status)).orElse(WorkResult.DONE);
        return result instanceof WorkResult.Done
                // A pod is overdue after this time, not at it.
                ? change.recheckAt()
                        .<WorkResult>map(at -> new WorkResult.RequeueAt(at.plusMillis(1)))
                        .orElse(result)
                : result;
    }

    /// Replaces the status of the version that was read: an eviction may have charged the budget
    /// meanwhile.
    private WorkResult write(DisruptionBudget budget, JsonObject status) {
        var ref = budget.ref();
        return cluster.send(
                        new Request.Update(
                                BUDGETS,
                                ref.namespace(),
                                ref.name(),
                                "status",
                                budget.tree().with("status", status)))
                .asWorkResult();
    }

    private WorkResult reconcile(Pod pod, Instant now) {
        var staleAt = StaleDisruption.at(pod);
        if (staleAt.isEmpty()) {
            return WorkResult.DONE;
        }
        if (staleAt.get().isAfter(now)) {
            return new WorkResult.RequeueAt(staleAt.get());
        }
        return cluster.send(
                        new Request.Patch(
                                PODS,
                                pod.metadata().namespace(),
                                pod.metadata().name(),
                                "status",
                                Request.PatchType.STRATEGIC,
                                withoutDisruption(pod, now)))
                .asWorkResult();
    }

    private static JsonObject withoutDisruption(Pod pod, Instant now) {
        var condition = ConditionTrees.of(StaleDisruption.CONDITION, false, "", "", now);
        return JsonObject.of(
                        "metadata", JsonObject.of("uid", Json.of(pod.metadata().uid().value())))
                .with("status", JsonObject.of("conditions", Json.array(condition)));
    }
}
