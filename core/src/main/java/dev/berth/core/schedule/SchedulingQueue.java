package dev.berth.core.schedule;

import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The pods that want a node, and which of them is next.
///
/// A pod is in one of five states. *Active* pods are next by priority, then by age. One that was
/// *taken* is being placed. One that failed waits: in *back-off* for its time alone, or as
/// *unschedulable* until something happens that may help, at most five minutes. *Gated* pods are
/// out until somebody completes them: no time brings them back.
///
/// Each failure doubles the time that a pod stays away, from one second to ten; waking it early
/// does not shorten that, so that a pod which never fits cannot crowd out others.
public final class SchedulingQueue {

    static final Duration FIRST_BACK_OFF = Duration.ofSeconds(1);
    static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(10);
    static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    private enum State {
        ACTIVE,
        TAKEN,
        BACK_OFF,
        UNSCHEDULABLE,
        GATED
    }

    private static final class Waiting {
        private final long number;
        private Pod pod;
        private State state = State.GATED;
        private int failures;
        private Instant since = Instant.EPOCH;
        private Instant until = Instant.EPOCH;
        private Set<WaitReason> causes = Set.of();

        private Waiting(long number, Pod pod) {
            this.number = number;
            this.pod = pod;
        }

        private long priority() {
            return pod.spec().priority().orElse(0);
        }

        private Instant created() {
            return pod.metadata().creationTimestamp().orElse(Instant.EPOCH);
        }

        private long number() {
            return number;
        }

        private Instant until() {
            return until;
        }
    }

    /// How many pods are in each state.
    public record Depths(int active, int taken, int backOff, int unschedulable, int gated) {
        public int all() {
            return active + taken + backOff + unschedulable + gated;
        }
    }

    private final Map<ObjectRef, Waiting> pods = new HashMap<>();
    private final Map<ObjectRef, Set<ObjectRef>> podsByClaim = new HashMap<>();
    private final TreeSet<Waiting> active =
            new TreeSet<>(
                    Comparator.comparingLong(Waiting::priority)
                            .reversed()
                            .thenComparing(Waiting::created)
                            .thenComparingLong(Waiting::number));
    private final TreeSet<Waiting> backOff =
            new TreeSet<>(Comparator.comparing(Waiting::until).thenComparingLong(Waiting::number));
    // In the order in which they failed, so that the first has waited longest.
    private final Map<ObjectRef, Waiting> unschedulable = new LinkedHashMap<>();
    private final Map<WaitReason, Integer> waitingFor = new EnumMap<>(WaitReason.class);
    private long count;
    private int taken;

    /// A pod that can be placed, new or changed. One that waits goes on waiting, unless what it
    /// asks for has changed.
    public void put(Pod pod, Instant now) {
        var waiting = pods.get(pod.ref());
        if (waiting == null) {
            add(pod, State.ACTIVE);
            return;
        }
        var isOther = !waiting.pod.metadata().uid().equals(pod.metadata().uid());
        var asksElse =
                !waiting.pod.spec().equals(pod.spec())
                        || !waiting.pod.metadata().labels().equals(pod.metadata().labels());
        var state = waiting.state;
        replace(waiting, pod);
        if (isOther) {
            waiting.failures = 0;
        }
        if (state == State.GATED || (isOther && state != State.TAKEN)) {
            move(waiting, State.ACTIVE);
        } else if (asksElse && state == State.UNSCHEDULABLE) {
            wake(waiting, now);
        }
    }

    /// A pod that cannot be placed, whatever nodes there are, before it or its claims change.
    public void gate(Pod pod) {
        var waiting = pods.get(pod.ref());
        if (waiting == null) {
            add(pod, State.GATED);
            return;
        }
        replace(waiting, pod);
        move(waiting, State.GATED);
    }

    private void add(Pod pod, State state) {
        var waiting = new Waiting(count++, pod);
        pods.put(pod.ref(), waiting);
        index(pod);
        move(waiting, state);
    }

    private void replace(Waiting waiting, Pod pod) {
        // These are sorted by what pods say, so that the old one must leave first.
        var isActive = waiting.state == State.ACTIVE && active.remove(waiting);
        unindex(waiting.pod);
        waiting.pod = pod;
        index(pod);
        if (isActive) {
            active.add(waiting);
        }
    }

    private void index(Pod pod) {
        for (var claim : ClaimLookup.names(pod)) {
            podsByClaim.computeIfAbsent(claim, _ -> new LinkedHashSet<>()).add(pod.ref());
        }
    }

    private void unindex(Pod pod) {
        for (var claim : ClaimLookup.names(pod)) {
            var users = podsByClaim.getOrDefault(claim, Set.of());
            if (users.remove(pod.ref()) && users.isEmpty()) {
                podsByClaim.remove(claim);
            }
        }
    }

    /// A pod that wants no node any more.
    public void remove(ObjectRef ref) {
        var waiting = pods.remove(ref);
        if (waiting != null) {
            take(waiting);
            unindex(waiting.pod);
        }
    }

    /// Takes the pod that is next.
    public Optional<Pod> next(Instant now) {
        advance(now);
        if (active.isEmpty()) {
            return Optional.empty();
        }
        var first = active.first();
        move(first, State.TAKEN);
        return Optional.of(first.pod);
    }

    /// Those whose time has come are active again.
    private void advance(Instant now) {
        while (!backOff.isEmpty() && !backOff.first().until.isAfter(now)) {
            move(backOff.first(), State.ACTIVE);
        }
        while (!unschedulable.isEmpty()) {
            var oldest = unschedulable.values().iterator().next();
            if (oldest.since.plus(LONGEST_WAIT).isAfter(now)) {
                return;
            }
            move(oldest, State.ACTIVE);
        }
    }

    /// A pod that was taken fits nowhere now.
    public void unschedulable(ObjectRef ref, Set<WaitReason> causes, Instant now) {
        var waiting = pods.get(ref);
        if (waiting != null) {
            fail(waiting, now);
            waiting.causes = Set.copyOf(causes);
            move(waiting, State.UNSCHEDULABLE);
        }
    }

    /// Placing a pod that was taken went wrong; it is tried again without waiting for a change.
    public void retry(ObjectRef ref, Instant now) {
        var waiting = pods.get(ref);
        if (waiting != null) {
            fail(waiting, now);
            move(waiting, State.BACK_OFF);
        }
    }

    private static void fail(Waiting waiting, Instant now) {
        waiting.failures++;
        waiting.since = now;
        waiting.until = now.plus(backOff(waiting.failures));
    }

    static Duration backOff(int failures) {
        var longest = FIRST_BACK_OFF;
        for (var i = 1; i < failures && longest.compareTo(LONGEST_BACK_OFF) < 0; i++) {
            longest = longest.multipliedBy(2);
        }
        return longest.compareTo(LONGEST_BACK_OFF) < 0 ? longest : LONGEST_BACK_OFF;
    }

    /// Wakes the pods that it may help.
    public void wake(ClusterEvent happening, Instant now) {
        // Pods come and go all the time, and mostly nobody waits for that.
        if (!happening.helps(waitingFor.keySet())) {
            return;
        }
        for (var waiting : List.copyOf(unschedulable.values())) {
            if (happening.helps(waiting.causes)) {
                wake(waiting, now);
            }
        }
    }

    /// Wakes the pods that use a claim.
    public void wakeUsersOf(ObjectRef claim, Instant now) {
        for (var ref : List.copyOf(podsByClaim.getOrDefault(claim, Set.of()))) {
            var waiting = pods.get(ref);
            if (waiting != null && waiting.state == State.UNSCHEDULABLE) {
                wake(waiting, now);
            }
        }
    }

    private void wake(Waiting waiting, Instant now) {
        move(waiting, waiting.until.isAfter(now) ? State.BACK_OFF : State.ACTIVE);
    }

    /// The gated pods that use a claim, or may once it is known to be theirs.
    public List<Pod> gatedUsersOf(ObjectRef claim) {
        var found = new ArrayList<Pod>();
        for (var ref : podsByClaim.getOrDefault(claim, Set.of())) {
            var waiting = pods.get(ref);
            if (waiting != null && waiting.state == State.GATED) {
                found.add(waiting.pod);
            }
        }
        return found;
    }

    /// The pod of a name, in whatever state.
    public Optional<Pod> find(ObjectRef ref) {
        return Optional.ofNullable(pods.get(ref)).map(waiting -> waiting.pod);
    }

    /// When time alone makes the next pod active.
    public Optional<Instant> nextTime() {
        var first = Optional.<Instant>empty();
        if (!backOff.isEmpty()) {
            first = Optional.of(backOff.first().until);
        }
        if (!unschedulable.isEmpty()) {
            var flush = unschedulable.values().iterator().next().since.plus(LONGEST_WAIT);
            first = Optional.of(first.filter(t -> t.isBefore(flush)).orElse(flush));
        }
        return first;
    }

    public boolean hasActive() {
        return !active.isEmpty();
    }

    public Depths depths() {
        var gated = pods.size() - active.size() - taken - backOff.size() - unschedulable.size();
        return new Depths(active.size(), taken, backOff.size(), unschedulable.size(), gated);
    }

    private void move(Waiting waiting, State state) {
        take(waiting);
        enter(waiting, state);
    }

    private void take(Waiting waiting) {
        switch (waiting.state) {
            case ACTIVE -> active.remove(waiting);
            case TAKEN -> taken--;
            case BACK_OFF -> backOff.remove(waiting);
            case UNSCHEDULABLE -> {
                unschedulable.remove(waiting.pod.ref());
                waiting.causes.forEach(cause ->
                        waitingFor.compute(cause, (_, n) -> n == null || n < 2 ? null : n - 1));
            }
            case GATED -> {}
        }
        waiting.state = State.GATED;
    }

    private void enter(Waiting waiting, State state) {
        waiting.state = state;
        switch (state) {
            case ACTIVE -> active.add(waiting);
            case TAKEN -> taken++;
            case BACK_OFF -> backOff.add(waiting);
            case UNSCHEDULABLE -> {
                unschedulable.put(waiting.pod.ref(), waiting);
                waiting.causes.forEach(cause -> waitingFor.merge(cause, 1, Integer::sum));
            }
            case GATED -> {}
        }
    }
}
