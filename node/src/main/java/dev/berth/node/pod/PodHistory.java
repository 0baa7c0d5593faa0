package dev.berth.node.pod;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What is remembered of a pod from one decision to the next, beside what can be seen. All of it
/// may be lost: what it delays is then only tried sooner.
///
/// @param backoffs by container
/// @param hitches of containers that could not be started, by container
/// @param hitch what keeps the whole pod from going on
/// @param endBy when a pod that is ending has to have ended
/// @param isMounted whether its volumes are known to be there
/// @param isTakenDown whether its volumes are known to be gone
public record PodHistory(
        Map<String, CrashLoopBackoff> backoffs,
        Map<String, RetryState> hitches,
        Optional<RetryState> hitch,
        Optional<Instant> endBy,
        boolean isMounted,
        boolean isTakenDown) {

    public static final PodHistory NOTHING =
            new PodHistory(Map.of(), Map.of(), Optional.empty(), Optional.empty(), false, false);

    /// As drivers, volumes and sandboxes are tried again.
    private static final Duration LONGEST_FOR_POD = Duration.ofSeconds(30);

    /// An image may be there any moment, and looking for it costs nothing.
    private static final Duration LONGEST_FOR_CONTAINER = Duration.ofSeconds(10);

    public PodHistory {
        backoffs = Map.copyOf(backoffs);
        hitches = Map.copyOf(hitches);
    }

    /// After something for the whole pod went wrong.
    public PodHistory stumbled(String reason, String message, Instant now) {
        var next =
                RetryState.after(
                        hitch.map(RetryState::failures).orElse(0),
                        reason,
                        message,
                        LONGEST_FOR_POD,
                        now);
        return new PodHistory(backoffs, hitches, Optional.of(next), endBy, isMounted, isTakenDown);
    }

    /// After a container could not be started.
    public PodHistory stumbled(String container, String reason, String message, Instant now) {
        var before =
                Optional.ofNullable(hitches.get(container)).map(RetryState::failures).orElse(0);
        var next = new HashMap<>(hitches);
        next.put(container, RetryState.after(before, reason, message, LONGEST_FOR_CONTAINER, now));
        return new PodHistory(backoffs, next, hitch, endBy, isMounted, isTakenDown);
    }

    /// After a container was started.
    public PodHistory started(String container) {
        var next = new HashMap<>(hitches);
        next.remove(container);
        return new PodHistory(backoffs, next, hitch, endBy, isMounted, isTakenDown);
    }

    public PodHistory mounted() {
        return new PodHistory(backoffs, hitches, hitch, endBy, true, false);
    }

    public PodHistory takenDown() {
        return new PodHistory(backoffs, hitches, hitch, endBy, false, true);
    }

    /// After something for the whole pod went well.
    public PodHistory smooth() {
        return new PodHistory(backoffs, hitches, Optional.empty(), endBy, isMounted, isTakenDown);
    }

    PodHistory endingBy(Instant by) {
        return new PodHistory(backoffs, hitches, hitch, Optional.of(by), isMounted, isTakenDown);
    }

    PodHistory with(String container, CrashLoopBackoff backoff) {
        var next = new HashMap<>(backoffs);
        next.put(container, backoff);
        return new PodHistory(next, hitches, hitch, endBy, isMounted, isTakenDown);
    }

    Optional<CrashLoopBackoff> backoff(String container) {
        return Optional.ofNullable(backoffs.get(container));
    }

    Optional<RetryState> hitch(String container) {
        return Optional.ofNullable(hitches.get(container));
    }
}
