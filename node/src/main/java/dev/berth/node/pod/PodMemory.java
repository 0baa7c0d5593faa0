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
public record PodMemory(
        Map<String, Backoff> backoffs,
        Map<String, Hitch> hitches,
        Optional<Hitch> hitch,
        Optional<Instant> endBy,
        boolean isMounted,
        boolean isTakenDown) {

    public static final PodMemory NOTHING =
            new PodMemory(Map.of(), Map.of(), Optional.empty(), Optional.empty(), false, false);

    /// As drivers, volumes and sandboxes are tried again.
    private static final Duration LONGEST_FOR_POD = Duration.ofSeconds(30);

    /// An image may be there any moment, and looking for it costs nothing.
    private static final Duration LONGEST_FOR_CONTAINER = Duration.ofSeconds(10);

    public PodMemory {
        backoffs = Map.copyOf(backoffs);
        hitches = Map.copyOf(hitches);
    }

    /// After something for the whole pod went wrong.
    public PodMemory stumbled(String reason, String message, Instant now) {
        var next =
                Hitch.after(
                        hitch.map(Hitch::failures).orElse(0),
                        reason,
                        message,
                        LONGEST_FOR_POD,
                        now);
        return new PodMemory(backoffs, hitches, Optional.of(next), endBy, isMounted, isTakenDown);
    }

    /// After a container could not be started.
    public PodMemory stumbled(String container, String reason, String message, Instant now) {
        var before = Optional.ofNullable(hitches.get(container)).map(Hitch::failures).orElse(0);
        var next = new HashMap<>(hitches);
        next.put(container, Hitch.after(before, reason, message, LONGEST_FOR_CONTAINER, now));
        return new PodMemory(backoffs, next, hitch, endBy, isMounted, isTakenDown);
    }

    /// After a container was started.
    public PodMemory started(String container) {
        var next = new HashMap<>(hitches);
        next.remove(container);
        return new PodMemory(backoffs, next, hitch, endBy, isMounted, isTakenDown);
    }

    public PodMemory mounted() {
        return new PodMemory(backoffs, hitches, hitch, endBy, true, false);
    }

    public PodMemory takenDown() {
        return new PodMemory(backoffs, hitches, hitch, endBy, false, true);
    }

    /// After something for the whole pod went well.
    public PodMemory smooth() {
        return new PodMemory(backoffs, hitches, Optional.empty(), endBy, isMounted, isTakenDown);
    }

    PodMemory endingBy(Instant by) {
        return new PodMemory(backoffs, hitches, hitch, Optional.of(by), isMounted, isTakenDown);
    }

    PodMemory with(String container, Backoff backoff) {
        var next = new HashMap<>(backoffs);
        next.put(container, backoff);
        return new PodMemory(next, hitches, hitch, endBy, isMounted, isTakenDown);
    }

    Optional<Backoff> backoff(String container) {
        return Optional.ofNullable(backoffs.get(container));
    }

    Optional<Hitch> hitch(String container) {
        return Optional.ofNullable(hitches.get(container));
    }
}
