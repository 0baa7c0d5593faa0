package dev.berth.core.schedule;

import dev.berth.core.place.ClusterEvent;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
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

/// The scheduling queue: pending pods and their order.
///
/// A pod is in one of five states. *Active* pods are ordered by priority, then by age. An
/// *in-flight* pod is being scheduled. After a failure a pod is in *back-off* until its delay
/// expires, or *unschedulable* until a cluster event may help, for at most five minutes. *Gated*
/// pods wait until they are complete, without a timeout.
///
/// Each failure doubles the back-off, from one second to ten. An event does not shorten it, so that
/// a pod that never fits cannot starve others.
public final class SchedulingQueue {

    static final Duration INITIAL_BACK_OFF = Duration.ofSeconds(1);
    static final Duration MAX_BACK_OFF = Duration.ofSeconds(10);
    static final Duration MAX_UNSCHEDULABLE_TIME = Duration.ofMinutes(5);

    private enum State {
        ACTIVE,
        IN_FLIGHT,
        BACK_OFF,
        UNSCHEDULABLE,
        GATED
    }

    private static final class QueuedPod {
        private final long number;
        private Pod pod;
        private State state = State.GATED;
        private int failures;
        private Instant since = Instant.EPOCH;
        private Instant until = Instant.EPOCH;
        private Optional<Instant> firstActive = Optional.empty();
        private int attempts;
        private Set<ClusterEvent> requeueOn = Set.of();

        private QueuedPod(long number, Pod pod) {
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

    /// The number of pods per state.
    public record Depths(int active, int inFlight, int backOff, int unschedulable, int gated) {
        public int all() {
            return active + inFlight + backOff + unschedulable + gated;
        }
    }

    /// The scheduling of a pod so far.
    ///
    /// @param firstActive when the pod entered the active queue for the first time
    /// @param attempts including the current one
    public record History(Instant firstActive, int attempts) {}

    private final SchedulingQueueObserver observer;
    private final Map<ObjectRef, QueuedPod> pods = new HashMap<>();
    private final Map<ObjectRef, Set<ObjectRef>> podsByClaim = new HashMap<>();
    private final TreeSet<QueuedPod> active =
            new TreeSet<>(
                    Comparator.comparingLong(QueuedPod::priority)
                            .reversed()
                            .thenComparing(QueuedPod::created)
                            .thenComparingLong(QueuedPod::number));
    private final TreeSet<QueuedPod> backOff =
            new TreeSet<>(
                    Comparator.comparing(QueuedPod::until).thenComparingLong(QueuedPod::number));
    // In the order of failures, so that the first has waited longest.
    private final Map<ObjectRef, QueuedPod> unschedulable = new LinkedHashMap<>();
    // The number of unschedulable pods per event that they wait for.
    private final Map<ClusterEvent, Integer> awaited = new EnumMap<>(ClusterEvent.class);
    private long count;
    private int inFlight;

    public SchedulingQueue() {
        this((_, _, _) -> {});
    }

    public SchedulingQueue(SchedulingQueueObserver observer) {
        this.observer = observer;
    }

    /// Adds or updates a pod that can be scheduled. A waiting pod keeps waiting unless its spec or
    /// labels changed.
    public void put(Pod pod, Instant now) {
        var queued = pods.get(pod.ref());
        if (queued == null) {
            activate(add(pod), QueueingEvent.POD_ADD, now);
            return;
        }
        var isRecreated = !queued.pod.metadata().uid().equals(pod.metadata().uid());
        var hasChangedRequest =
                !queued.pod.spec().equals(pod.spec())
                        || !queued.pod.metadata().labels().equals(pod.metadata().labels());
        var state = queued.state;
        replace(queued, pod);
        if (isRecreated) {
            queued.failures = 0;
            queued.attempts = 0;
            queued.firstActive = Optional.empty();
        }
        if (state == State.GATED || (isRecreated && state != State.IN_FLIGHT)) {
            activate(queued, QueueingEvent.POD_UPDATE, now);
        } else if (hasChangedRequest && state == State.UNSCHEDULABLE) {
            requeue(queued, QueueingEvent.POD_UPDATE, now);
        }
    }

    /// Adds or updates a pod that cannot be scheduled on any node before it or its claims change.
    public void gate(Pod pod) {
        var queued = pods.get(pod.ref());
        if (queued == null) {
            observer.entered(add(pod).pod, PodQueue.GATED, QueueingEvent.POD_ADD);
            return;
        }
        replace(queued, pod);
        if (queued.state != State.GATED) {
            move(queued, State.GATED);
            observer.entered(pod, PodQueue.GATED, QueueingEvent.POD_UPDATE);
        }
    }

    /// Adds a pod as gated.
    private QueuedPod add(Pod pod) {
        var queued = new QueuedPod(count++, pod);
        pods.put(pod.ref(), queued);
        index(pod);
        return queued;
    }

    private void activate(QueuedPod queued, QueueingEvent event, Instant now) {
        if (queued.firstActive.isEmpty()) {
            queued.firstActive = Optional.of(now);
        }
        move(queued, State.ACTIVE);
        observer.entered(queued.pod, PodQueue.ACTIVE, event);
    }

    private void replace(QueuedPod queued, Pod pod) {
        // The sort key depends on the pod, so that the old entry must be removed first.
        var isActive = queued.state == State.ACTIVE && active.remove(queued);
        unindex(queued.pod);
        queued.pod = pod;
        index(pod);
        if (isActive) {
            active.add(queued);
        }
    }

    private void index(Pod pod) {
        for (var claim : PodClaimReferences.ofEntries(pod)) {
            podsByClaim.computeIfAbsent(claim, _ -> new LinkedHashSet<>()).add(pod.ref());
        }
    }

    private void unindex(Pod pod) {
        for (var claim : PodClaimReferences.ofEntries(pod)) {
            var users = podsByClaim.getOrDefault(claim, Set.of());
            if (users.remove(pod.ref()) && users.isEmpty()) {
                podsByClaim.remove(claim);
            }
        }
    }

    /// Removes a pod that was bound or deleted.
    public void remove(ObjectRef ref) {
        var queued = pods.remove(ref);
        if (queued != null) {
            leaveState(queued);
            unindex(queued.pod);
        }
    }

    /// Returns the next active pod and marks it in-flight.
    public Optional<Pod> next(Instant now) {
        advance(now);
        if (active.isEmpty()) {
            return Optional.empty();
        }
        var first = active.first();
        move(first, State.IN_FLIGHT);
        first.attempts++;
        return Optional.of(first.pod);
    }

    /// Activates pods whose back-off or maximum wait expired.
    private void advance(Instant now) {
        while (!backOff.isEmpty() && !backOff.first().until.isAfter(now)) {
            activate(backOff.first(), QueueingEvent.BACKOFF_COMPLETE, now);
        }
        while (!unschedulable.isEmpty()) {
            var oldest = unschedulable.values().iterator().next();
            if (oldest.since.plus(MAX_UNSCHEDULABLE_TIME).isAfter(now)) {
                return;
            }
            activate(oldest, QueueingEvent.UNSCHEDULABLE_TIMEOUT, now);
        }
    }

    /// Marks an in-flight pod unschedulable.
    ///
    /// @param requeueOn the events after which another attempt is worthwhile
    public void unschedulable(ObjectRef ref, Set<ClusterEvent> requeueOn, Instant now) {
        var queued = pods.get(ref);
        if (queued != null) {
            fail(queued, now);
            queued.requeueOn = Set.copyOf(requeueOn);
            move(queued, State.UNSCHEDULABLE);
            failed(queued, PodQueue.UNSCHEDULABLE);
        }
    }

    /// Marks an in-flight pod as failed with an error; it is retried after its back-off without
    /// waiting for an event.
    public void retry(ObjectRef ref, Instant now) {
        var queued = pods.get(ref);
        if (queued != null) {
            fail(queued, now);
            move(queued, State.BACK_OFF);
            failed(queued, PodQueue.BACK_OFF);
        }
    }

    private void failed(QueuedPod queued, PodQueue into) {
        observer.entered(queued.pod, into, QueueingEvent.SCHEDULE_ATTEMPT_FAILURE);
    }

    private static void fail(QueuedPod queued, Instant now) {
        queued.failures++;
        queued.since = now;
        queued.until = now.plus(backOff(queued.failures));
    }

    static Duration backOff(int failures) {
        var delay = INITIAL_BACK_OFF;
        for (var i = 1; i < failures && delay.compareTo(MAX_BACK_OFF) < 0; i++) {
            delay = delay.multipliedBy(2);
        }
        return delay.compareTo(MAX_BACK_OFF) < 0 ? delay : MAX_BACK_OFF;
    }

    /// Requeues the unschedulable pods that the event may help.
    public void requeue(ClusterEvent event, Instant now) {
        // Fast path: pod events are frequent and rarely help a waiting pod.
        if (!awaited.containsKey(event)) {
            return;
        }
        for (var queued : List.copyOf(unschedulable.values())) {
            if (queued.requeueOn.contains(event)) {
                requeue(queued, QueueingEvent.of(event), now);
            }
        }
    }

    /// Requeues the unschedulable pods that use a claim.
    public void requeueUsersOf(ObjectRef claim, Instant now) {
        for (var ref : List.copyOf(podsByClaim.getOrDefault(claim, Set.of()))) {
            var queued = pods.get(ref);
            if (queued != null && queued.state == State.UNSCHEDULABLE) {
                requeue(queued, QueueingEvent.CLAIM_CHANGE, now);
            }
        }
    }

    private void requeue(QueuedPod queued, QueueingEvent event, Instant now) {
        if (queued.until.isAfter(now)) {
            move(queued, State.BACK_OFF);
            observer.entered(queued.pod, PodQueue.BACK_OFF, event);
        } else {
            activate(queued, event, now);
        }
    }

    /// The gated pods that use a claim by name or by status.
    public List<Pod> gatedUsersOf(ObjectRef claim) {
        var found = new ArrayList<Pod>();
        for (var ref : podsByClaim.getOrDefault(claim, Set.of())) {
            var queued = pods.get(ref);
            if (queued != null && queued.state == State.GATED) {
                found.add(queued.pod);
            }
        }
        return found;
    }

    /// The pod of a name in any state.
    public Optional<Pod> find(ObjectRef ref) {
        return Optional.ofNullable(pods.get(ref)).map(queued -> queued.pod);
    }

    /// The scheduling of a pod so far; empty for pods that were never active.
    public Optional<History> history(ObjectRef ref) {
        return Optional.ofNullable(pods.get(ref))
                .flatMap(queued ->
                        queued.firstActive.map(first -> new History(first, queued.attempts)));
    }

    /// The time at which the next back-off or maximum wait expires.
    public Optional<Instant> nextTime() {
        var first = Optional.<Instant>empty();
        if (!backOff.isEmpty()) {
            first = Optional.of(backOff.first().until);
        }
        if (!unschedulable.isEmpty()) {
            var flush = unschedulable.values().iterator().next().since.plus(MAX_UNSCHEDULABLE_TIME);
            first = Optional.of(first.filter(t -> t.isBefore(flush)).orElse(flush));
        }
        return first;
    }

    public boolean hasActive() {
        return !active.isEmpty();
    }

    public Depths depths() {
        var gated = pods.size() - active.size() - inFlight - backOff.size() - unschedulable.size();
        return new Depths(active.size(), inFlight, backOff.size(), unschedulable.size(), gated);
    }

    private void move(QueuedPod queued, State state) {
        leaveState(queued);
        enterState(queued, state);
    }

    private void leaveState(QueuedPod queued) {
        switch (queued.state) {
            case ACTIVE -> active.remove(queued);
            case IN_FLIGHT -> inFlight--;
            case BACK_OFF -> backOff.remove(queued);
            case UNSCHEDULABLE -> {
                unschedulable.remove(queued.pod.ref());
                queued.requeueOn.forEach(event ->
                        awaited.compute(event, (_, n) -> n == null || n < 2 ? null : n - 1));
            }
            case GATED -> {}
        }
        queued.state = State.GATED;
    }

    private void enterState(QueuedPod queued, State state) {
        queued.state = state;
        switch (state) {
            case ACTIVE -> active.add(queued);
            case IN_FLIGHT -> inFlight++;
            case BACK_OFF -> backOff.add(queued);
            case UNSCHEDULABLE -> {
                unschedulable.put(queued.pod.ref(), queued);
                queued.requeueOn.forEach(event -> awaited.merge(event, 1, Integer::sum));
            }
            case GATED -> {}
        }
    }
}
