package dev.berth.core.disruption;

import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.meta.OwnerReference;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.event.Event;
import dev.berth.model.event.EventSource;
import dev.berth.model.event.InvolvedObject;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.time.Rfc3339;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Computes the status of a PodDisruptionBudget, from which the eviction subresource decides.
public final class DisruptionBudgetStatus {

    public static final EventSource SOURCE = EventSource.controller("controllermanager");

    /// Time after which an evicted pod that was not deleted counts as healthy again.
    public static final Duration DELETION_TIMEOUT = Duration.ofMinutes(2);

    private static final String CONDITION = "DisruptionAllowed";
    private static final String DISRUPTED = "disruptedPods";

    /// A new status.
    ///
    /// @param status empty when the present one is up to date
    /// @param events to record
    /// @param recheckAt when an evicted pod has to be deleted
    public record Change(
            Optional<JsonObject> status, List<Event> events, Optional<Instant> recheckAt) {

        public Change {
            events = List.copyOf(events);
        }
    }

    private record Disrupted(JsonObject pods, Optional<Instant> recheckAt) {}

    private final DisruptionBudget budget;
    private final Collection<Pod> pods;
    private final Instant now;
    private final List<Event> events = new ArrayList<>();

    private DisruptionBudgetStatus(DisruptionBudget budget, Collection<Pod> pods, Instant now) {
        this.budget = budget;
        this.pods = List.copyOf(pods);
        this.now = now;
    }

    /// The new status of a budget.
    ///
    /// @param pods all pods that the budget selects
    /// @param scales the scale of a pod's controller
    public static Change change(
            DisruptionBudget budget,
            Collection<Pod> pods,
            Function<OwnerReference, OwnerScale> scales,
            Instant now) {
        return new DisruptionBudgetStatus(budget, pods, now).change(scales);
    }

    private Change change(Function<OwnerReference, OwnerScale> scales) {
        if (pods.isEmpty()) {
            events.add(Event.normal(SOURCE, object(), "NoPods", "No matching pods found"));
        }
        return switch (ExpectedPods.of(budget, pods, scales)) {
            case ExpectedPods.Failed(var message) -> failed(message);
            case ExpectedPods.Known known -> computed(known);
        };
    }

    private InvolvedObject object() {
        return InvolvedObject.of("policy/v1", "PodDisruptionBudget", budget.tree());
    }

    /// No eviction is allowed while the expected number of pods is unknown.
    private Change failed(String message) {
        events.add(
                Event.warning(
                        SOURCE,
                        object(),
                        "CalculateExpectedPodCountFailed",
                        "Failed to calculate the number of expected pods: " + message));
        var before = budget.status();
        var status =
                before.with("disruptionsAllowed", Json.of(0))
                        .with(
                                "conditions",
                                conditions(
                                        "False",
                                        "SyncFailed",
                                        message,
                                        before.number("observedGeneration").orElse(0)));
        return new Change(changed(status), events, Optional.empty());
    }

    private Change computed(ExpectedPods.Known known) {
        if (!known.unmanaged().isEmpty()) {
            events.add(Event.warning(SOURCE, object(), "UnmanagedPods", unmanagedMessage()));
        }
        var disrupted = disrupted();
        var healthy = pods.stream().filter(pod -> isHealthy(pod, disrupted.pods)).count();
        var allowed = known.expected() <= 0 ? 0 : Math.max(0, healthy - known.desiredHealthy());
        var status =
                JsonObject.of("conditions", allowedCondition(allowed))
                        .with("currentHealthy", Json.of(healthy))
                        .with("desiredHealthy", Json.of(known.desiredHealthy()))
                        .with("disruptionsAllowed", Json.of(allowed))
                        .with("expectedPods", Json.of(known.expected()))
                        .with("observedGeneration", Json.of(budget.generation()));
        return new Change(
                changed(disrupted.pods.isEmpty() ? status : status.with(DISRUPTED, disrupted.pods)),
                events,
                disrupted.recheckAt);
    }

    private String unmanagedMessage() {
        return "Pods selected by this PodDisruptionBudget (selector: %s) were found to be unmanaged."
                        .formatted(budget.selectorText())
                + " As a result, the status of the PDB cannot be calculated correctly, which may"
                + " result in undefined behavior. To account for these pods please set"
                + " \".spec.minAvailable\" field of the PDB to an integer value.";
    }

    private Json allowedCondition(long allowed) {
        return allowed > 0
                ? conditions("True", "SufficientPods", "", budget.generation())
                : conditions("False", "InsufficientPods", "", budget.generation());
    }

    /// Evicted pods that still have to be deleted.
    private Disrupted disrupted() {
        var before = budget.status().objectOrEmpty(DISRUPTED);
        var kept = JsonObject.EMPTY;
        Optional<Instant> recheckAt = Optional.empty();
        for (var pod : pods) {
            var evictedAt = Rfc3339.read(before.text(pod.metadata().name()));
            if (evictedAt.isEmpty() || pod.metadata().isDeleting()) {
                continue;
            }
            var deletedBy = evictedAt.get().plus(DELETION_TIMEOUT);
            if (deletedBy.isBefore(now)) {
                events.add(
                        Event.warning(
                                SOURCE,
                                InvolvedObject.of(pod),
                                "NotDeleted",
                                "Pod was expected by PDB %s to be deleted but it wasn't"
                                        .formatted(budget.ref())));
                continue;
            }
            kept = kept.with(pod.metadata().name(), Json.of(Rfc3339.write(evictedAt.get())));
            if (recheckAt.filter(at -> !at.isAfter(deletedBy)).isEmpty()) {
                recheckAt = Optional.of(deletedBy);
            }
        }
        return new Disrupted(kept, recheckAt);
    }

    private static boolean isHealthy(Pod pod, JsonObject disrupted) {
        return !pod.metadata().isDeleting()
                && !disrupted.has(pod.metadata().name())
                && pod.status().conditions().stream()
                        .anyMatch(one -> one.type().equals("Ready") && one.isTrue());
    }

    private Json conditions(String status, String reason, String message, long generation) {
        var before = budget.status().objects("conditions");
        var since =
                ConditionTrees.find(before, CONDITION)
                        .filter(one -> one.text("status").equals(status))
                        .flatMap(one -> Rfc3339.read(one.text("lastTransitionTime")))
                        .orElse(now.truncatedTo(ChronoUnit.SECONDS));
        var condition =
                ConditionTrees.of(
                        new Condition(
                                CONDITION,
                                status,
                                generation,
                                Optional.of(since),
                                reason,
                                message));
        return Json.array(ConditionTrees.withOthers(List.of(condition), before));
    }

    private Optional<JsonObject> changed(JsonObject status) {
        return normalized(status).equals(normalized(budget.status()))
                ? Optional.empty()
                : Optional.of(status);
    }

    /// All fields in one order, with the values of absent ones.
    private static JsonObject normalized(JsonObject status) {
        var normalized = JsonObject.of("conditions", Json.array(status.objects("conditions")));
        for (var name :
                List.of(
                        "currentHealthy",
                        "desiredHealthy",
                        "disruptionsAllowed",
                        "expectedPods",
                        "observedGeneration")) {
            normalized = normalized.with(name, Json.of(status.number(name).orElse(0)));
        }
        return normalized.with(DISRUPTED, status.objectOrEmpty(DISRUPTED));
    }
}
