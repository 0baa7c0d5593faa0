package dev.berth.control.schedule;

import dev.berth.client.Cluster;
import dev.berth.core.admission.Gate;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.schedule.ClaimChecks;
import dev.berth.core.schedule.ClaimLookup;
import dev.berth.core.schedule.ClusterEvent;
import dev.berth.core.schedule.NodePolicy;
import dev.berth.core.schedule.PlacementDecider;
import dev.berth.core.schedule.SchedulingDecision;
import dev.berth.core.schedule.SchedulingQueue;
import dev.berth.core.schedule.WaitReason;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PodGroup;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.Uid;
import dev.berth.model.codec.Codec;
import dev.berth.model.text.FailureText;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All that one scheduler knows and does, for the one thread that it belongs to.
final class SchedulerCore implements ClusterView.Listener, BindingPipeline.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(SchedulerCore.class);

    /// How often those are looked after that only time can help.
    private static final Duration LOOK_AFTER = Duration.ofSeconds(1);

    private final EventSink events;
    private final SchedulingQueue queue = new SchedulingQueue();
    private final Map<String, PlacementDecider> deciders = new HashMap<>();
    private final Map<String, FailedDevices> detours = new HashMap<>();
    private final GatedPods gated = new GatedPods();

    /// Pods that were bound and that the watch has not shown on their nodes. What it shows of them
    /// meanwhile is old.
    private final Map<ObjectRef, Uid> arrived = new HashMap<>();

    private final ClusterView view;
    private final BindingPipeline attempts;
    private final ClaimWriter claims;
    private final ClaimLookup lookup;
    private final TaskRunner doing;
    private final PendingPodReporter teller;
    private final DurationHistogram decisionTimes = new DurationHistogram();
    private Instant now = Instant.EPOCH;
    private Instant lookedAfter = Instant.EPOCH;
    private long bound;
    private long decisions;

    SchedulerCore(
            Cluster cluster,
            Clock clock,
            SchedulerOptions options,
            EventSink events,
            Consumer<Runnable> inbox) {
        this.events = events;
        var gates = options.gates();
        var features = PlacementFeatures.of(gates);
        var groupsOwnClaims = SchedulerOptions.groupsOwnClaims(gates);
        doing =
                switch (options.pace()) {
                    case CONCURRENT -> TaskRunner.inThreads();
                    case STEPWISE -> TaskRunner.atOnce();
                };
        var codec = new Codec();
        claims = new ClaimWriter(cluster, codec, doing);
        var pods = new PodWriter(cluster, codec);
        view =
                new ClusterView(
                        ClusterSnapshot.empty(PlacementFeatures.rules(features)),
                        gates.enabled(Gate.DRA_NODE_ALLOCATABLE_RESOURCES),
                        this);
        lookup = new ClaimLookup(view::claim, view::group, groupsOwnClaims);
        teller = new PendingPodReporter(pods, events, features, options, doing, clock);
        attempts =
                new BindingPipeline(
                        new BindingPipeline.Tools(
                                new BindingWriter(claims, pods, new VolumeWriter(cluster, doing)),
                                doing,
                                inbox,
                                () -> now,
                                gates.enabled(Gate.DRA_DEVICE_BINDING_CONDITIONS),
                                options.bindingPatience()),
                        view,
                        this);
        for (var profile : options.profiles()) {
            var rules =
                    new PlacementDecider.Rules(
                            features,
                            profile.policy(),
                            options.bindingPatience(),
                            groupsOwnClaims,
                            options.shareIds());
            deciders.put(
                    profile.schedulerName(),
                    new PlacementDecider(rules, new Allocator(Allocator.DEFAULT_BUDGET)));
            if (profile.policy() != NodePolicy.KUBERNETES) {
                detours.put(profile.schedulerName(), new FailedDevices(rules));
            }
        }
    }

    ClusterView view() {
        return view;
    }

    PendingPodReporter teller() {
        return teller;
    }

    void at(Instant time) {
        now = time;
    }

    /// Periodic work, once the first lists are complete.
    void lookAfter() {
        if (!lookedAfter.plus(LOOK_AFTER).isAfter(now)) {
            lookedAfter = now;
            attempts.advance();
            tellGated();
        }
    }

    /// Decides about the next pod. False when there is none.
    boolean decideNext() {
        if (attempts.isFull()) {
            return false;
        }
        var next = queue.next(now);
        if (next.isPresent()) {
            var start = System.nanoTime();
            decideSafely(next.get());
            decisionTimes.add(System.nanoTime() - start);
        }
        return next.isPresent();
    }

    /// A pod that breaks the search must not keep others from being placed.
    private void decideSafely(Pod pod) {
        try {
            decide(pod);
        } catch (RuntimeException | Error e) {
            LOG.error("cannot decide about pod {}", pod.ref(), e);
            fail(pod, "the scheduler failed: " + FailureText.of(e));
        }
    }

    /// When there is something to do even if nothing happens.
    Optional<Instant> nextTime() {
        return queue.nextTime();
    }

    Scheduler.Standing standing() {
        return new Scheduler.Standing(queue.depths(), attempts.size(), bound, decisions);
    }

    DurationHistogram decisionTimes() {
        return decisionTimes.copy();
    }

    private void decide(Pod pod) {
        decisions++;
        var decider = deciders.get(pod.spec().schedulerName());
        if (decider == null || attempts.isRunning(pod.ref())) {
            queue.retry(pod.ref(), now);
            return;
        }
        var leftOver = view.extendedClaimOf(pod);
        if (leftOver.isPresent()) {
            // Of an attempt that was not finished, by this scheduler or by one before it.
            doing.start(() -> claims.delete(leftOver.get()));
            fail(pod, "cannot schedule extended resource claim");
            return;
        }
        var detour = detour(pod);
        switch (detour.orElseGet(() -> decider.decide(pod, view.snapshot(), now))) {
            case SchedulingDecision.Placed placed -> {
                teller.drop(pod.ref());
                attempts.begin(pod, placed);
            }
            case SchedulingDecision.Blocked(var reason) -> gate(pod, reason);
            case SchedulingDecision.Unplaced unplaced -> wait(pod, unplaced);
        }
    }

    /// A way past devices that failed this pod before.
    private Optional<SchedulingDecision> detour(Pod pod) {
        var known = detours.get(pod.spec().schedulerName());
        return known != null && lookup.of(pod) instanceof ClaimLookup.Result.Found found
                ? known.decide(pod, found.claims(), view.snapshot(), now)
                : Optional.empty();
    }

    private void wait(Pod pod, SchedulingDecision.Unplaced unplaced) {
        queue.unschedulable(pod.ref(), unplaced.causes(), now);
        var isAboutDevices = unplaced.causes().contains(WaitReason.DEVICES);
        tell(
                pod,
                PendingPodReporter.UNSCHEDULABLE,
                unplaced.message(),
                Optional.of(unplaced.question()).filter(_ -> isAboutDevices));
        // One claim that is in the way and idle gives its devices back; that wakes the pod.
        for (var idle : unplaced.idle()) {
            var seen = view.claim(idle.ref());
            if (seen.filter(claim -> isIdle(claim, pod)).isPresent()) {
                doing.start(() -> claims.deallocate(seen.get()));
                return;
            }
        }
    }

    /// As the server has it, which may know of users that were only assumed to be gone.
    private boolean isIdle(ResourceClaim claim, Pod pod) {
        return claim.status().allocation().isPresent()
                && ClaimChecks.isIdle(claim, pod, view.snapshot());
    }

    private void fail(Pod pod, String message) {
        queue.retry(pod.ref(), now);
        tell(pod, PendingPodReporter.ERROR, message, Optional.empty());
    }

    private void tell(Pod pod, String reason, String message, Optional<PlacementRequest> question) {
        var scene = new PendingPodReporter.Scene(view.snapshot(), view.slices(), view.taintRules());
        var latest = view.pod(pod.ref()).orElse(pod);
        teller.add(new PendingPodReporter.Telling(latest, reason, message, question, scene));
    }

    private void gate(Pod pod, String reason) {
        queue.gate(pod);
        gated.put(pod.ref(), reason, now);
    }

    private void tellGated() {
        gated.tell(
                now,
                (ref, reason) -> {
                    var pod = view.pod(ref);
                    pod.ifPresent(p ->
                            tell(p, PendingPodReporter.UNSCHEDULABLE, reason, Optional.empty()));
                    return pod.isPresent();
                });
    }

    @Override
    public void happened(ClusterEvent happening) {
        queue.wake(happening, now);
        if (happening == ClusterEvent.VOLUMES) {
            attempts.volumesSeen();
        }
    }

    @Override
    public void pod(Pod pod) {
        var isPending = pod.spec().nodeName().isEmpty() && !pod.metadata().isDeleting();
        if (isPending && pod.metadata().uid().equals(arrived.get(pod.ref()))) {
            return;
        }
        arrived.remove(pod.ref());
        if (isPending && deciders.containsKey(pod.spec().schedulerName())) {
            admit(pod);
            return;
        }
        leave(pod.ref());
        if (pod.metadata().isDeleting()) {
            attempts.cancel(pod);
        }
    }

    private void leave(ObjectRef pod) {
        queue.remove(pod);
        gated.remove(pod);
    }

    private void admit(Pod pod) {
        if (attempts.isRunning(pod.ref())) {
            queue.put(pod, now);
            return;
        }
        if (!pod.spec().schedulingGates().isEmpty()) {
            // The server itself says in the pod's condition that it is gated.
            queue.gate(pod);
            gated.remove(pod.ref());
            return;
        }
        switch (lookup.of(pod)) {
            case ClaimLookup.Result.Missing(var reason) -> gate(pod, reason);
            case ClaimLookup.Result.Found _ -> {
                gated.remove(pod.ref());
                queue.put(pod, now);
            }
        }
    }

    @Override
    public void podGone(Pod pod) {
        arrived.remove(pod.ref());
        leave(pod.ref());
        attempts.cancel(pod);
    }

    @Override
    public void claim(ResourceClaim claim, Optional<ResourceClaim> before) {
        attempts.claimSeen(claim);
        queue.gatedUsersOf(claim.ref()).forEach(this::admit);
        if (before.filter(old -> old.status().equals(claim.status())).isEmpty()) {
            queue.wakeUsersOf(claim.ref(), now);
        }
    }

    @Override
    public void claimGone(ResourceClaim claim) {
        attempts.claimGone(claim);
    }

    @Override
    public void group(PodGroup group) {
        for (var ref : gated.all()) {
            view.pod(ref)
                    .filter(pod -> ref.namespace().equals(group.metadata().namespace()))
                    .filter(pod ->
                            pod.spec().podGroupName().equals(Optional.of(group.metadata().name())))
                    .ifPresent(this::admit);
        }
    }

    @Override
    public boolean mayClash(ResourceClaim claim) {
        return attempts.size() > 0 && !attempts.isOurs(claim);
    }

    @Override
    public void bound(PodBinding attempt) {
        bound++;
        // A pod of the same name may have come since.
        var seen = view.pod(attempt.ref()).filter(attempt::isOf);
        if (seen.isPresent()) {
            leave(attempt.ref());
            if (seen.get().spec().nodeName().isEmpty()) {
                arrived.put(attempt.ref(), attempt.uid());
            }
        }
        events.tell(attempt.pod, attempt.arrival());
    }

    @Override
    public void freed() {
        happened(ClusterEvent.ROOM_FREED);
        happened(ClusterEvent.DEVICES_FREED);
    }

    @Override
    public void failed(PodBinding attempt, String message) {
        if (!attempt.placed.fits().volumes().isEmpty()) {
            happened(ClusterEvent.VOLUMES);
        }
        var pod = view.pod(attempt.ref());
        if (pod.isEmpty() || queue.find(attempt.ref()).isEmpty()) {
            return;
        }
        if (attempt.isOf(pod.get())) {
            fail(pod.get(), message);
        } else {
            // One of the same name has come since, and had to wait for this.
            queue.retry(attempt.ref(), now);
        }
    }

    @Override
    public void notAttached(PodBinding attempt, ResourceClaim claim, List<DeviceId> devices) {
        var known = detours.get(attempt.pod.spec().schedulerName());
        if (known != null) {
            known.note(attempt.uid(), claim, devices, now);
        }
    }

    @Override
    public void waitsForDevices(PodBinding attempt) {
        events.tell(attempt.pod, attempt.pause());
    }
}
