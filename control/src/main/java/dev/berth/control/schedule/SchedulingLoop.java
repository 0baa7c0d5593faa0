package dev.berth.control.schedule;

import dev.berth.core.schedule.ClaimChecks;
import dev.berth.core.schedule.SchedulingDecision;
import dev.berth.core.schedule.SchedulingQueue;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.text.FailureText;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes pods from the queue, decides about each, and acts on the decision. Belongs to the
/// scheduler's thread.
final class SchedulingLoop {

    private static final Logger LOG = LoggerFactory.getLogger(SchedulingLoop.class);

    /// Collaborators of the loop.
    record Services(
            SchedulingQueue queue,
            QueueAdmission admission,
            FailedPods failedPods,
            SchedulerProfiles profiles,
            ClusterView view,
            PodBindings bindings,
            BindingPipeline pipeline,
            PendingPodReporter reporter,
            ClaimWriter claims,
            TaskRunner taskRunner,
            StepTime time,
            SchedulerObserver observer) {}

    private final Services services;
    private final SchedulingQueue queue;
    private final ClusterView view;
    private final DurationHistogram decisionTimes = new DurationHistogram();
    private long decisions;

    SchedulingLoop(Services services) {
        this.services = services;
        this.queue = services.queue;
        this.view = services.view;
    }

    /// The number of scheduling attempts so far.
    long decisions() {
        return decisions;
    }

    DurationHistogram decisionTimes() {
        return decisionTimes.copy();
    }

    /// Schedules the next pod. Returns false when there is none.
    boolean decideNext() {
        if (services.pipeline.isFull()) {
            return false;
        }
        var next = queue.next(services.time.now());
        if (next.isPresent()) {
            var startNanos = System.nanoTime();
            decideSafely(next.get(), startNanos);
            var nanos = System.nanoTime() - startNanos;
            decisionTimes.add(nanos);
            services.observer.decided(nanos);
        }
        return next.isPresent();
    }

    /// An error of one pod must not stop the others.
    private void decideSafely(Pod pod, long startNanos) {
        try {
            decide(pod, startNanos);
        } catch (RuntimeException | Error e) {
            LOG.error("scheduling pod {} failed", pod.ref(), e);
            fail(pod, "scheduling failed: " + FailureText.of(e), startNanos);
        }
    }

    private void fail(Pod pod, String message, long startNanos) {
        services.observer.failed(pod, message, startNanos);
        services.failedPods.fail(pod, message);
    }

    private void decide(Pod pod, long startNanos) {
        decisions++;
        if (!services.profiles.contains(pod) || services.bindings.contains(pod.ref())) {
            queue.retry(pod.ref(), services.time.now());
            return;
        }
        var stale = view.extendedClaimOf(pod);
        if (stale.isPresent()) {
            // Of an unfinished binding of this or an earlier scheduler.
            services.taskRunner.start(() -> services.claims.delete(stale.get()));
            fail(pod, "cannot schedule extended resource claim", startNanos);
            return;
        }
        switch (services.profiles.decide(pod, view.snapshot(), services.time.now())) {
            case SchedulingDecision.Placed placed -> {
                services.reporter.drop(pod.ref());
                services.pipeline.begin(pod, placed, startNanos);
            }
            case SchedulingDecision.Blocked(var reason) -> {
                services.observer.unschedulable(pod, reason, startNanos);
                services.admission.gate(pod, reason);
            }
            case SchedulingDecision.Unschedulable unschedulable -> {
                services.observer.unschedulable(pod, unschedulable.message(), startNanos);
                markUnschedulable(pod, unschedulable);
            }
        }
    }

    private void markUnschedulable(Pod pod, SchedulingDecision.Unschedulable unschedulable) {
        queue.unschedulable(pod.ref(), unschedulable.requeueOn(), services.time.now());
        services.reporter.add(
                view.report(
                        pod,
                        PendingPodReporter.UNSCHEDULABLE,
                        unschedulable.message(),
                        Optional.of(unschedulable.request())));
        // Deallocates one idle claim that blocks the pod; the event requeues the pod.
        for (var idle : unschedulable.idle()) {
            var seen = view.claim(idle.ref());
            if (seen.filter(claim -> isIdle(claim, pod)).isPresent()) {
                services.taskRunner.start(() -> services.claims.deallocate(seen.get()));
                return;
            }
        }
    }

    /// Checked on the watched claim, which may have consumers that were only assumed to be deleted.
    private boolean isIdle(ResourceClaim claim, Pod pod) {
        return claim.status().allocation().isPresent()
                && ClaimChecks.isIdle(claim, pod, view.snapshot());
    }
}
