package dev.berth.core.workload;

import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The conditions `Available`, `Progressing` and `ReplicaFailure` of a Deployment, with the reasons
/// and messages of Kubernetes.
final class DeploymentConditions {

    private static final String AVAILABLE = "Available";
    private static final String PROGRESSING = "Progressing";
    private static final String REPLICA_FAILURE = "ReplicaFailure";
    private static final String DONE = "NewReplicaSetAvailable";
    private static final String TIMED_OUT = "ProgressDeadlineExceeded";

    private static final long DEFAULT_DEADLINE_SECONDS = 600;

    /// The value of `progressDeadlineSeconds` that stands for no deadline.
    private static final long NO_DEADLINE = Integer.MAX_VALUE;

    private final Workload deployment;
    private final JsonObject counts;
    private final Instant now;

    /// @param counts the other fields of the new status
    DeploymentConditions(Workload deployment, JsonObject counts, Instant now) {
        this.deployment = deployment;
        this.counts = counts;
        this.now = now.truncatedTo(ChronoUnit.SECONDS);
    }

    /// The conditions.
    ///
    /// @param set name of the newest ReplicaSet
    /// @param isNew whether it is about to be created
    /// @param unavailable number of pods that may be unavailable
    /// @param sets all ReplicaSets, the newest first
    Json all(String set, boolean isNew, long unavailable, List<Workload> sets) {
        var conditions = new ArrayList<JsonObject>();
        conditions.add(availability(deployment.number("replicas", 1) - unavailable));
        conditions.add(progress(set, isNew));
        replicaFailure(sets).ifPresent(conditions::add);
        return Json.array(conditions);
    }

    /// The failure of the newest ReplicaSet that has one.
    private Optional<JsonObject> replicaFailure(List<Workload> sets) {
        return sets.stream()
                .flatMap(set -> present(set.status(), REPLICA_FAILURE).stream())
                .findFirst()
                .map(failure ->
                        present(REPLICA_FAILURE)
                                .filter(one -> one.text("reason").equals(failure.text("reason")))
                                .orElseGet(() -> copied(failure)));
    }

    private static JsonObject copied(JsonObject failure) {
        return failure.member("lastTransitionTime")
                .map(time -> failure.with("lastUpdateTime", time))
                .orElse(failure);
    }

    /// The conditions after the creation of a ReplicaSet failed.
    Json withCreateError(List<JsonObject> conditions, String message) {
        var error = unlessPresent(PROGRESSING, "False", DeploymentRules.CREATE_ERROR, message);
        return Json.array(ConditionTrees.withOthers(List.of(error), conditions));
    }

    private JsonObject availability(long least) {
        return count("availableReplicas") >= least
                ? unlessPresent(
                        AVAILABLE,
                        "True",
                        "MinimumReplicasAvailable",
                        "Deployment has minimum availability.")
                : unlessPresent(
                        AVAILABLE,
                        "False",
                        "MinimumReplicasUnavailable",
                        "Deployment does not have minimum availability.");
    }

    private JsonObject progress(String set, boolean isNew) {
        var present = present(PROGRESSING);
        if (isNew) {
            return condition("NewReplicaSetCreated", "Created new replica set \"%s\"", set);
        }
        if (isDone(present) && count("replicas") == count("updatedReplicas")) {
            return present.orElseThrow();
        }
        if (isComplete()) {
            return condition(DONE, "ReplicaSet \"%s\" has successfully progressed.", set);
        }
        if (hasAdvanced()) {
            return condition("ReplicaSetUpdated", "ReplicaSet \"%s\" is progressing.", set);
        }
        if (present.isEmpty()) {
            return condition("FoundNewReplicaSet", "Found new replica set \"%s\"", set);
        }
        return deadline(present.get()).filter(end -> end.isBefore(now)).isPresent()
                ? unlessPresent(
                        PROGRESSING,
                        "False",
                        TIMED_OUT,
                        "ReplicaSet \"%s\" has timed out progressing.".formatted(set))
                : present.get();
    }

    private static boolean isDone(Optional<JsonObject> present) {
        return present.filter(one -> one.text("reason").equals(DONE)).isPresent();
    }

    private boolean isComplete() {
        var desired = deployment.number("replicas", 1);
        return count("updatedReplicas") == desired
                && count("replicas") == desired
                && count("availableReplicas") == desired;
    }

    private boolean hasAdvanced() {
        return count("updatedReplicas") > before("updatedReplicas")
                || count("replicas") - count("updatedReplicas")
                        < before("replicas") - before("updatedReplicas")
                || count("readyReplicas") > before("readyReplicas")
                || count("availableReplicas") > before("availableReplicas");
    }

    private long count(String name) {
        return counts.number(name).orElse(0);
    }

    private long before(String name) {
        return deployment.status().number(name).orElse(0);
    }

    /// When the progress deadline passes, if the status stays as it is.
    Optional<Instant> timesOutAfter(JsonObject status) {
        return present(status, PROGRESSING).flatMap(this::deadline);
    }

    private Optional<Instant> deadline(JsonObject progress) {
        var seconds = deployment.number("progressDeadlineSeconds", DEFAULT_DEADLINE_SECONDS);
        var since = progress.text("lastUpdateTime");
        return seconds >= NO_DEADLINE
                        || since.isEmpty()
                        || isDone(Optional.of(progress))
                        || progress.text("reason").equals(TIMED_OUT)
                ? Optional.empty()
                : Optional.of(Instant.parse(since).plusSeconds(seconds));
    }

    private JsonObject condition(String reason, String message, String set) {
        return newCondition(PROGRESSING, "True", reason, message.formatted(set));
    }

    /// Keeps an existing condition with the same content, and with it its timestamps.
    private JsonObject unlessPresent(String type, String status, String reason, String message) {
        return present(type)
                .filter(one -> one.text("status").equals(status))
                .filter(one -> one.text("reason").equals(reason))
                .orElseGet(() -> newCondition(type, status, reason, message));
    }

    private JsonObject newCondition(String type, String status, String reason, String message) {
        var before = deployment.status().objects("conditions");
        return ConditionTrees.update(before, type, status, reason, message, now)
                .with("lastUpdateTime", Json.of(now));
    }

    private Optional<JsonObject> present(String type) {
        return present(deployment.status(), type);
    }

    private static Optional<JsonObject> present(JsonObject status, String type) {
        return ConditionTrees.find(status.objects("conditions"), type);
    }
}
