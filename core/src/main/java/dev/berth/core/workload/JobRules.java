package dev.berth.core.workload;

import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodPhase;
import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// Decides on a Job: which pods to create and delete until enough have succeeded or too many have
/// failed.
public final class JobRules {

    public static final String INDEX = "batch.kubernetes.io/job-completion-index";

    private static final long DEFAULT_BACKOFF_LIMIT = 6;
    private static final int BURST = 500;

    private static final String SUSPENDED = "Suspended";

    /// A change of a Job's state, which is recorded as an event.
    public sealed interface Transition {

        record Completed() implements Transition {}

        record Failed(String reason, String message) implements Transition {}

        record Suspended() implements Transition {}

        record Resumed() implements Transition {}
    }

    /// Pods to create and delete, and the new status.
    ///
    /// @param create the completion indexes of the pods to create, if the Job is indexed
    /// @param transition what the new status changes
    public record Change(
            List<OptionalInt> create,
            List<Pod> delete,
            JsonObject status,
            Optional<Transition> transition) {

        public Change {
            create = List.copyOf(create);
            delete = List.copyOf(delete);
        }
    }

    private record Counts(List<Pod> active, long succeeded, long failed) {}

    private JobRules() {}

    public static Change change(Workload job, Collection<Pod> owned, Instant now) {
        var counts = counts(job, owned);
        if (isFinished(job)) {
            return new Change(List.of(), counts.active(), job.status(), Optional.empty());
        }
        if (counts.failed() > job.number("backoffLimit", DEFAULT_BACKOFF_LIMIT)) {
            var reason = "BackoffLimitExceeded";
            var message = "Job has reached the specified backoff limit";
            var status = finished(job, counts, now, "Failed", reason, message);
            var failed = new Transition.Failed(reason, message);
            return new Change(List.of(), counts.active(), status, Optional.of(failed));
        }
        if (isComplete(job, counts)) {
            var message = "Reached expected number of succeeded pods";
            var status = finished(job, counts, now, "Complete", "CompletionsReached", message);
            return new Change(
                    List.of(),
                    counts.active(),
                    status.with("completionTime", Json.of(now)),
                    Optional.of(new Transition.Completed()));
        }
        return running(job, owned, counts, now);
    }

    /// True when the Job is complete or failed.
    public static boolean isFinished(Workload job) {
        return job.status().objects("conditions").stream()
                .anyMatch(one ->
                        List.of("Complete", "Failed").contains(one.text("type"))
                                && one.text("status").equals("True"));
    }

    /// When a finished Job is deleted (`ttlSecondsAfterFinished`).
    public static Optional<Instant> expiresAt(Workload job) {
        var seconds = job.spec().number("ttlSecondsAfterFinished");
        if (seconds.isEmpty() || !isFinished(job)) {
            return Optional.empty();
        }
        return job.status().objects("conditions").stream()
                .filter(one -> List.of("Complete", "Failed").contains(one.text("type")))
                .map(one -> one.text("lastTransitionTime"))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .map(text -> Instant.parse(text).plusSeconds(seconds.getAsLong()));
    }

    private static Counts counts(Workload job, Collection<Pod> owned) {
        var active = owned.stream().filter(Workload::isActive).toList();
        var succeeded = owned.stream().filter(JobRules::hasSucceeded).count();
        if (isIndexed(job)) {
            succeeded = indexes(owned.stream().filter(JobRules::hasSucceeded).toList()).size();
        }
        var failed =
                owned.stream().filter(one -> one.status().phase() == PodPhase.Known.FAILED).count();
        // Pods that have been deleted still count.
        return new Counts(
                active,
                Math.max(succeeded, job.status().number("succeeded").orElse(0)),
                Math.max(failed, job.status().number("failed").orElse(0)));
    }

    private static boolean hasSucceeded(Pod pod) {
        return pod.status().phase() == PodPhase.Known.SUCCEEDED;
    }

    private static boolean isIndexed(Workload job) {
        return job.spec().text("completionMode").equals("Indexed");
    }

    private static Set<Integer> indexes(Collection<Pod> pods) {
        var indexes = new HashSet<Integer>();
        for (var pod : pods) {
            var text = pod.metadata().annotations().get(INDEX);
            if (text != null) {
                indexes.add(Integer.parseInt(text));
            }
        }
        return indexes;
    }

    private static boolean isComplete(Workload job, Counts counts) {
        var desired = job.spec().number("completions");
        return desired.isPresent()
                ? counts.succeeded() >= desired.getAsLong()
                : counts.succeeded() > 0 && counts.active().isEmpty();
    }

    private static Change running(Workload job, Collection<Pod> owned, Counts counts, Instant now) {
        var parallelism = job.number("parallelism", 1);
        var left =
                job.spec().number("completions").isPresent()
                        ? job.number("completions", 1) - counts.succeeded()
                        : counts.succeeded() > 0 ? counts.active().size() : parallelism;
        var isSuspended = job.spec().flag("suspend").orElse(false);
        var desired = isSuspended || job.isDeleting() ? 0 : Math.min(parallelism, left);
        var missing = (int) Math.min(BURST, Math.max(0, desired - counts.active().size()));
        var extra = Math.max(0, counts.active().size() - desired);
        var delete = counts.active().stream().limit(extra).toList();
        var transition = suspension(job, isSuspended);
        var status = status(job, counts, now);
        return new Change(
                isIndexed(job) ? free(job, owned, missing) : withoutIndexes(missing),
                delete,
                transition.map(one -> withSuspension(status, one, now)).orElse(status),
                transition);
    }

    private static Optional<Transition> suspension(Workload job, boolean isSuspended) {
        var wasSuspended =
                ConditionTrees.find(job.status().objects("conditions"), SUSPENDED)
                        .filter(one -> one.text("status").equals("True"))
                        .isPresent();
        if (isSuspended == wasSuspended) {
            return Optional.empty();
        }
        return Optional.of(isSuspended ? new Transition.Suspended() : new Transition.Resumed());
    }

    /// A suspended Job has no start time; a resumed one starts anew.
    private static JsonObject withSuspension(
            JsonObject status, Transition transition, Instant now) {
        var isSuspended = transition instanceof Transition.Suspended;
        var reason = isSuspended ? "JobSuspended" : "JobResumed";
        var message = isSuspended ? "Job suspended" : "Job resumed";
        var before = status.objects("conditions");
        var condition =
                ConditionTrees.of(SUSPENDED, isSuspended, reason, message, now)
                        .with("lastProbeTime", Json.of(now));
        return status.with("startTime", isSuspended ? Json.JsonNull.INSTANCE : Json.of(now))
                .with(
                        "conditions",
                        Json.array(ConditionTrees.withOthers(List.of(condition), before)));
    }

    private static List<OptionalInt> withoutIndexes(int count) {
        var pods = new ArrayList<OptionalInt>();
        for (var i = 0; i < count; i++) {
            pods.add(OptionalInt.empty());
        }
        return pods;
    }

    /// The lowest indexes without an active or succeeded pod.
    private static List<OptionalInt> free(Workload job, Collection<Pod> owned, int count) {
        var taken =
                indexes(
                        owned.stream()
                                .filter(one -> Workload.isActive(one) || hasSucceeded(one))
                                .toList());
        var free = new ArrayList<OptionalInt>();
        for (var i = 0; i < job.number("completions", 1) && free.size() < count; i++) {
            if (!taken.contains(i)) {
                free.add(OptionalInt.of(i));
            }
        }
        return free;
    }

    private static JsonObject status(Workload job, Counts counts, Instant now) {
        var ready = counts.active().stream().filter(Workload::isReady).count();
        var status = job.status();
        var isStarting = !status.has("startTime") && !job.spec().flag("suspend").orElse(false);
        status = isStarting ? status.with("startTime", Json.of(now)) : status;
        return status.with("active", Json.of(counts.active().size()))
                .with("ready", Json.of(ready))
                .with("succeeded", Json.of(counts.succeeded()))
                .with("failed", Json.of(counts.failed()));
    }

    private static JsonObject finished(
            Workload job, Counts counts, Instant now, String type, String reason, String message) {
        var target = type.equals("Complete") ? "SuccessCriteriaMet" : "FailureTarget";
        return status(job, counts, now)
                .with("active", Json.of(0))
                .with("ready", Json.of(0))
                .with(
                        "conditions",
                        Json.array(
                                ConditionTrees.withOthers(
                                        List.of(
                                                condition(target, reason, message, now),
                                                condition(type, reason, message, now)),
                                        job.status().objects("conditions"))));
    }

    private static JsonObject condition(String type, String reason, String message, Instant now) {
        var condition = new Condition(type, "True", 0, Optional.of(now), reason, message);
        return ConditionTrees.of(condition).with("lastProbeTime", Json.of(now));
    }
}
