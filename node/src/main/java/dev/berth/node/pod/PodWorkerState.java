package dev.berth.node.pod;

import dev.berth.model.workqueue.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// State of a pod worker between decisions that cannot be observed. It may be lost: delayed retries
/// then happen sooner.
///
/// @param backoffs crash-loop back-offs by container
/// @param retries failed container starts, by container
/// @param retry failed action of the pod as a whole
/// @param terminateBy when a terminating pod has to have terminated
/// @param isMounted whether its volumes are known to be mounted
/// @param isUnmounted whether its volumes are known to be unmounted
public record PodWorkerState(
        Map<String, CrashLoopBackoff> backoffs,
        Map<String, RetryState> retries,
        Optional<RetryState> retry,
        Optional<Instant> terminateBy,
        boolean isMounted,
        boolean isUnmounted) {

    public static final PodWorkerState EMPTY =
            new PodWorkerState(
                    Map.of(), Map.of(), Optional.empty(), Optional.empty(), false, false);

    /// Back-off for drivers, volumes and sandboxes.
    private static final Backoff POD_BACKOFF =
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    /// Back-off of a container start. Its longest delay is short: an image may be imported any
    /// moment, and the check is cheap.
    private static final Backoff CONTAINER_BACKOFF =
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

    public PodWorkerState {
        backoffs = Map.copyOf(backoffs);
        retries = Map.copyOf(retries);
    }

    /// After a failed action of the whole pod.
    public PodWorkerState failed(String reason, String message, Instant now) {
        var next =
                RetryState.after(
                        retry.map(RetryState::failures).orElse(0),
                        reason,
                        message,
                        POD_BACKOFF,
                        now);
        return new PodWorkerState(
                backoffs, retries, Optional.of(next), terminateBy, isMounted, isUnmounted);
    }

    /// After a failed container start.
    public PodWorkerState failed(String container, String reason, String message, Instant now) {
        var before =
                Optional.ofNullable(retries.get(container)).map(RetryState::failures).orElse(0);
        var next = new HashMap<>(retries);
        next.put(container, RetryState.after(before, reason, message, CONTAINER_BACKOFF, now));
        return new PodWorkerState(backoffs, next, retry, terminateBy, isMounted, isUnmounted);
    }

    /// After a successful container start.
    public PodWorkerState started(String container) {
        var next = new HashMap<>(retries);
        next.remove(container);
        return new PodWorkerState(backoffs, next, retry, terminateBy, isMounted, isUnmounted);
    }

    public PodWorkerState mounted() {
        return new PodWorkerState(backoffs, retries, retry, terminateBy, true, false);
    }

    public PodWorkerState unmounted() {
        return new PodWorkerState(backoffs, retries, retry, terminateBy, false, true);
    }

    /// After a successful action of the whole pod.
    public PodWorkerState succeeded() {
        return new PodWorkerState(
                backoffs, retries, Optional.empty(), terminateBy, isMounted, isUnmounted);
    }

    PodWorkerState terminatingBy(Instant by) {
        return new PodWorkerState(
                backoffs, retries, retry, Optional.of(by), isMounted, isUnmounted);
    }

    PodWorkerState with(String container, CrashLoopBackoff backoff) {
        var next = new HashMap<>(backoffs);
        next.put(container, backoff);
        return new PodWorkerState(next, retries, retry, terminateBy, isMounted, isUnmounted);
    }

    Optional<CrashLoopBackoff> backoff(String container) {
        return Optional.ofNullable(backoffs.get(container));
    }

    Optional<RetryState> retry(String container) {
        return Optional.ofNullable(retries.get(container));
    }
}
