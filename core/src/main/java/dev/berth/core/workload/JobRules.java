package dev.berth.core.workload;

import dev.berth.model.api.Pod;
import dev.berth.model.api.PodPhase;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// Runs a job's pods until enough of them have succeeded or too many have failed.
public final class JobRules {

    public static final String INDEX = "batch.kubernetes.io/job-completion-index";

    private static final long USUAL_BACKOFF_LIMIT = 6;
    private static final int BURST = 500;

    /// What to do.
    ///
    /// @param create the pods to make, with their index where the job has indexes
    public record Change(List<OptionalInt> create, List<Pod> delete, JsonObject status) {

        public Change {
            create = List.copyOf(create);
            delete = List.copyOf(delete);
        }
    }

    private record Tally(List<Pod> active, long succeeded, long failed) {}

    private JobRules() {}

    public static Change change(Workload job, Collection<Pod> owned, Instant now) {
        var tally = tally(job, owned);
        if (isFinished(job)) {
            return new Change(List.of(), tally.active(), job.status());
        }
        if (tally.failed() > job.number("backoffLimit", USUAL_BACKOFF_LIMIT)) {
            var status =
                    over(
                            job,
                            tally,
                            now,
                            "Failed",
                            "BackoffLimitExceeded",
                            "Job has reached the specified backoff limit");
            return new Change(List.of(), tally.active(), status);
        }
        if (isComplete(job, tally)) {
            var status = over(job, tally, now, "Complete", "CompletionsReached", "");
            return new Change(List.of(), tally.active(), status.with("completionTime", time(now)));
        }
        return running(job, owned, tally, now);
    }

    /// True when the job needs nothing more.
    public static boolean isFinished(Workload job) {
        return job.status().objects("conditions").stream()
                .anyMatch(one ->
                        List.of("Complete", "Failed").contains(one.text("type"))
                                && one.text("status").equals("True"));
    }

    /// When a finished job is to be deleted.
    public static Optional<Instant> endsAt(Workload job) {
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

    private static Tally tally(Workload job, Collection<Pod> owned) {
        var active = owned.stream().filter(Workload::isActive).toList();
        var succeeded = owned.stream().filter(JobRules::hasSucceeded).count();
        if (isIndexed(job)) {
            succeeded = indexes(owned.stream().filter(JobRules::hasSucceeded).toList()).size();
        }
        var failed =
                owned.stream().filter(one -> one.status().phase() == PodPhase.Known.FAILED).count();
        // Pods that were deleted since still count.
        return new Tally(
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

    private static boolean isComplete(Workload job, Tally tally) {
        var wanted = job.spec().number("completions");
        return wanted.isPresent()
                ? tally.succeeded() >= wanted.getAsLong()
                : tally.succeeded() > 0 && tally.active().isEmpty();
    }

    private static Change running(Workload job, Collection<Pod> owned, Tally tally, Instant now) {
        var parallelism = job.number("parallelism", 1);
        var left =
                job.spec().number("completions").isPresent()
                        ? job.number("completions", 1) - tally.succeeded()
                        : tally.succeeded() > 0 ? tally.active().size() : parallelism;
        var isSuspended = job.spec().flag("suspend").orElse(false);
        var wanted = isSuspended || job.isDeleting() ? 0 : Math.min(parallelism, left);
        var missing = (int) Math.min(BURST, Math.max(0, wanted - tally.active().size()));
        var extra = Math.max(0, tally.active().size() - wanted);
        var delete = tally.active().stream().limit(extra).toList();
        return new Change(
                isIndexed(job) ? free(job, owned, missing) : unnumbered(missing),
                delete,
                status(job, tally, now));
    }

    private static List<OptionalInt> unnumbered(int count) {
        var pods = new ArrayList<OptionalInt>();
        for (var i = 0; i < count; i++) {
            pods.add(OptionalInt.empty());
        }
        return pods;
    }

    /// The lowest indexes that nobody runs or has run well.
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

    private static JsonObject status(Workload job, Tally tally, Instant now) {
        var ready = tally.active().stream().filter(Workload::isReady).count();
        var status = job.status();
        status = status.has("startTime") ? status : status.with("startTime", time(now));
        return status.with("active", Json.of(tally.active().size()))
                .with("ready", Json.of(ready))
                .with("succeeded", Json.of(tally.succeeded()))
                .with("failed", Json.of(tally.failed()));
    }

    private static JsonObject over(
            Workload job, Tally tally, Instant now, String type, String reason, String message) {
        var target = type.equals("Complete") ? "SuccessCriteriaMet" : "FailureTarget";
        return status(job, tally, now)
                .with("active", Json.of(0))
                .with("ready", Json.of(0))
                .with(
                        "conditions",
                        Json.array(
                                condition(target, reason, message, now),
                                condition(type, reason, message, now)));
    }

    private static JsonObject condition(String type, String reason, String message, Instant now) {
        return JsonObject.of("type", Json.of(type))
                .with("status", Json.of("True"))
                .with("reason", Json.of(reason))
                .with("message", Json.of(message))
                .with("lastProbeTime", time(now))
                .with("lastTransitionTime", time(now));
    }

    private static Json time(Instant now) {
        return Json.of(now.truncatedTo(ChronoUnit.SECONDS).toString());
    }
}
