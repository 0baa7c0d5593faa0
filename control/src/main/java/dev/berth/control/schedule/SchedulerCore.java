package dev.berth.control.schedule;

import dev.berth.client.Cluster;
import dev.berth.core.admission.Gate;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.schedule.BindingCycle;
import dev.berth.core.schedule.BindingRules;
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

/// State and logic of one scheduler; belongs to one thread.
final class SchedulerCore implements ClusterView.Listener, BindingPipeline.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(SchedulerCore.class);

    /// Interval of periodic checks.
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final SchedulingQueue queue = new SchedulingQueue();
    private final Map<String, PlacementDecider> deciders = new HashMap<>();
    private final Map<String, FailedDevices> failedDevices = new HashMap<>();
    private final GatedPods gated = new GatedPods();

    /// Bound pods that the watch has not shown on their nodes. Their watch events meanwhile are
    /// outdated.
    private final Map<ObjectRef, Uid> boundUnseen = new HashMap<>();

    private final ClusterView view;
    private final PodBindings bindings = new PodBindings();
    private final BindingPipeline bindingPipeline;
    private final ClaimWriter claims;
    private final ClaimLookup lookup;
    private final TaskRunner taskRunner;
    private final PendingPodReporter reporter;
    private final DurationHistogram decisionTimes = new DurationHistogram();
    private Instant now = Instant.EPOCH;
    private Instant lastPeriodicRun = Instant.EPOCH;
    private long bound;
    private long decisions;

    SchedulerCore(
            Cluster cluster,
            Clock clock,
            SchedulerOptions options,
            EventSink events,
            Consumer<Runnable> inbox) {
        var gates = options.gates();
        var features = PlacementFeatures.of(gates);
        var groupsOwnClaims = SchedulerOptions.groupsOwnClaims(gates);
        taskRunner = TaskRunner.of(options.writeMode());
        var codec = new Codec();
        claims = new ClaimWriter(cluster, codec, taskRunner);
        var pods = new PodWriter(cluster, codec);
        view =
                new ClusterView(
                        ClusterSnapshot.empty(PlacementFeatures.rules(features)),
                        gates.enabled(Gate.DRA_NODE_ALLOCATABLE_RESOURCES),
                        this);
        lookup = new ClaimLookup(view::claim, view::group, groupsOwnClaims);
        reporter = new PendingPodReporter(pods, events, features, options, taskRunner, clock);
        bindingPipeline =
                new BindingPipeline(
                        new BindingRules(
                                gates.enabled(Gate.DRA_DEVICE_BINDING_CONDITIONS),
                                options.bindingTimeout()),
                        new BindingPipeline.Services(
                                new BindingWriter(
                                        claims, pods, new VolumeWriter(cluster, taskRunner)),
                                taskRunner,
                                inbox,
                                () -> now,
                                events),
                        view,
                        bindings,
                        this);
        for (var profile : options.profiles()) {
            var placement =
                    new PlacementDecider.Options(
                            features,
                            profile.policy(),
                            options.bindingTimeout(),
                            groupsOwnClaims,
                            options.shareIds());
            deciders.put(
                    profile.schedulerName(),
                    new PlacementDecider(placement, new Allocator(Allocator.DEFAULT_BUDGET)));
            if (profile.policy() != NodePolicy.KUBERNETES) {
                failedDevices.put(profile.schedulerName(), new FailedDevices(placement));
            }
        }
    }

    ClusterView view() {
        return view;
    }

    PendingPodReporter reporter() {
        return reporter;
    }

    void advanceTo(Instant time) {
        now = time;
    }

    /// Periodic work, once the first lists are complete.
    void runPeriodicTasks() {
        if (!lastPeriodicRun.plus(PERIOD).isAfter(now)) {
            lastPeriodicRun = now;
            bindingPipeline.advance();
            reportGated();
        }
    }

    /// Schedules the next pod. Returns false when there is none.
    boolean decideNext() {
        if (bindingPipeline.isFull()) {
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

    /// An error of one pod must not stop the others.
    private void decideSafely(Pod pod) {
        try {
            decide(pod);
        } catch (RuntimeException | Error e) {
            LOG.error("scheduling pod {} failed", pod.ref(), e);
            fail(pod, "scheduling failed: " + FailureText.of(e));
        }
    }

    /// The next time at which there is work without new messages.
    Optional<Instant> nextTime() {
        return queue.nextTime();
    }

    Scheduler.Status status() {
        return new Scheduler.Status(queue.depths(), bindings.size(), bound, decisions);
    }

    DurationHistogram decisionTimes() {
        return decisionTimes.copy();
    }

    private void decide(Pod pod) {
        decisions++;
        var decider = deciders.get(pod.spec().schedulerName());
        if (decider == null || bindings.contains(pod.ref())) {
            queue.retry(pod.ref(), now);
            return;
        }
        var stale = view.extendedClaimOf(pod);
        if (stale.isPresent()) {
            // Of an unfinished binding of this or an earlier scheduler.
            taskRunner.start(() -> claims.delete(stale.get()));
            fail(pod, "cannot schedule extended resource claim");
            return;
        }
        var withoutFailedDevices = withoutFailedDevices(pod);
        switch (withoutFailedDevices.orElseGet(() -> decider.decide(pod, view.snapshot(), now))) {
            case SchedulingDecision.Placed placed -> {
                reporter.drop(pod.ref());
                bindingPipeline.begin(pod, placed);
            }
            case SchedulingDecision.Blocked(var reason) -> gate(pod, reason);
            case SchedulingDecision.Unschedulable unschedulable ->
                    markUnschedulable(pod, unschedulable);
        }
    }

    /// A decision without devices that failed for this pod before.
    private Optional<SchedulingDecision> withoutFailedDevices(Pod pod) {
        var known = failedDevices.get(pod.spec().schedulerName());
        return known != null && lookup.of(pod) instanceof ClaimLookup.Result.Found found
                ? known.decide(pod, found.claims(), view.snapshot(), now)
                : Optional.empty();
    }

    private void markUnschedulable(Pod pod, SchedulingDecision.Unschedulable unschedulable) {
        queue.unschedulable(pod.ref(), unschedulable.reasons(), now);
        var isAboutDevices = unschedulable.reasons().contains(WaitReason.DEVICES);
        report(
                pod,
                PendingPodReporter.UNSCHEDULABLE,
                unschedulable.message(),
                Optional.of(unschedulable.request()).filter(_ -> isAboutDevices));
        // Deallocates one idle claim that blocks the pod; the event requeues the pod.
        for (var idle : unschedulable.idle()) {
            var seen = view.claim(idle.ref());
            if (seen.filter(claim -> isIdle(claim, pod)).isPresent()) {
                taskRunner.start(() -> claims.deallocate(seen.get()));
                return;
            }
        }
    }

    /// Checked on the watched claim, which may have consumers that were only assumed to be deleted.
    private boolean isIdle(ResourceClaim claim, Pod pod) {
        return claim.status().allocation().isPresent()
                && ClaimChecks.isIdle(claim, pod, view.snapshot());
    }

    private void fail(Pod pod, String message) {
        queue.retry(pod.ref(), now);
        report(pod, PendingPodReporter.ERROR, message, Optional.empty());
    }

    private void report(
            Pod pod, String reason, String message, Optional<PlacementRequest> request) {
        var cluster =
                new PendingPodReporter.ClusterState(
                        view.snapshot(), view.slices(), view.taintRules());
        var latest = view.pod(pod.ref()).orElse(pod);
        reporter.add(new PendingPodReporter.Report(latest, reason, message, request, cluster));
    }

    private void gate(Pod pod, String reason) {
        queue.gate(pod);
        gated.put(pod.ref(), reason, now);
    }

    private void reportGated() {
        gated.report(
                now,
                (ref, reason) -> {
                    var pod = view.pod(ref);
                    pod.ifPresent(p ->
                            report(p, PendingPodReporter.UNSCHEDULABLE, reason, Optional.empty()));
                    return pod.isPresent();
                });
    }

    @Override
    public void onClusterEvent(ClusterEvent event) {
        queue.requeue(event, now);
        if (event == ClusterEvent.VOLUMES) {
            bindingPipeline.volumesSeen();
        }
    }

    @Override
    public void pod(Pod pod) {
        var isPending = pod.spec().nodeName().isEmpty() && !pod.metadata().isDeleting();
        if (isPending && pod.metadata().uid().equals(boundUnseen.get(pod.ref()))) {
            return;
        }
        boundUnseen.remove(pod.ref());
        if (isPending && deciders.containsKey(pod.spec().schedulerName())) {
            admit(pod);
            return;
        }
        dequeue(pod.ref());
        if (pod.metadata().isDeleting()) {
            bindingPipeline.cancel(pod);
        }
    }

    private void dequeue(ObjectRef pod) {
        queue.remove(pod);
        gated.remove(pod);
    }

    private void admit(Pod pod) {
        if (bindings.contains(pod.ref())) {
            queue.put(pod, now);
            return;
        }
        if (!pod.spec().schedulingGates().isEmpty()) {
            // The API server sets the condition of gated pods.
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
    public void podDeleted(Pod pod) {
        boundUnseen.remove(pod.ref());
        dequeue(pod.ref());
        bindingPipeline.cancel(pod);
    }

    @Override
    public void claim(ResourceClaim claim, Optional<ResourceClaim> before) {
        bindingPipeline.claimSeen(claim);
        queue.gatedUsersOf(claim.ref()).forEach(this::admit);
        if (before.filter(old -> old.status().equals(claim.status())).isEmpty()) {
            queue.requeueUsersOf(claim.ref(), now);
        }
    }

    @Override
    public void claimDeleted(ResourceClaim claim) {
        bindingPipeline.claimDeleted(claim);
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
    public boolean mayConflict(ResourceClaim claim) {
        return bindings.size() > 0 && !bindings.isOwnAllocation(claim);
    }

    @Override
    public void bound(BindingCycle cycle) {
        bound++;
        // A pod of the same name may have been created since.
        var seen = view.pod(cycle.ref()).filter(cycle::isOf);
        if (seen.isPresent()) {
            dequeue(cycle.ref());
            if (seen.get().spec().nodeName().isEmpty()) {
                boundUnseen.put(cycle.ref(), cycle.uid());
            }
        }
    }

    @Override
    public void resourcesFreed() {
        onClusterEvent(ClusterEvent.RESOURCES_FREED);
        onClusterEvent(ClusterEvent.DEVICES_FREED);
    }

    @Override
    public void failed(BindingCycle cycle, String message) {
        if (!cycle.placed().fits().volumes().isEmpty()) {
            onClusterEvent(ClusterEvent.VOLUMES);
        }
        var pod = view.pod(cycle.ref());
        if (pod.isEmpty() || queue.find(cycle.ref()).isEmpty()) {
            return;
        }
        if (cycle.isOf(pod.get())) {
            fail(pod.get(), message);
        } else {
            // A recreated pod of the same name had to wait for this binding.
            queue.retry(cycle.ref(), now);
        }
    }

    @Override
    public void bindingConditionsFailed(
            BindingCycle cycle, ResourceClaim claim, List<DeviceId> devices) {
        var known = failedDevices.get(cycle.pod().spec().schedulerName());
        if (known != null) {
            known.add(cycle.uid(), claim, devices, now);
        }
    }
}
