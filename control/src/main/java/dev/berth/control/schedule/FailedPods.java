package dev.berth.control.schedule;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.schedule.BindingCycle;
import dev.berth.core.schedule.SchedulingQueue;
import dev.berth.model.api.pod.Pod;
import java.util.Optional;

/// Returns failed pods to the scheduling queue, and requeues other pods that may fit now. Belongs
/// to the scheduler's thread.
final class FailedPods {

    private final SchedulingQueue queue;
    private final ClusterView view;
    private final PendingPodReporter reporter;
    private final StepTime time;

    FailedPods(
            SchedulingQueue queue, ClusterView view, PendingPodReporter reporter, StepTime time) {
        this.queue = queue;
        this.view = view;
        this.reporter = reporter;
        this.time = time;
    }

    /// Retries a pod after its back-off, and reports the error.
    void fail(Pod pod, String message) {
        queue.retry(pod.ref(), time.now());
        reporter.add(view.report(pod, PendingPodReporter.ERROR, message, Optional.empty()));
    }

    /// The assumed placement of a pod was forgotten.
    void resourcesFreed() {
        queue.requeue(ClusterEvent.RESOURCES_FREED, time.now());
        queue.requeue(ClusterEvent.DEVICES_FREED, time.now());
    }

    /// The binding of a pod failed.
    void bindingFailed(BindingCycle cycle, String message) {
        if (!cycle.placed().fits().volumes().isEmpty()) {
            queue.requeue(ClusterEvent.VOLUMES, time.now());
        }
        var pod = view.pod(cycle.ref());
        if (pod.isEmpty() || queue.find(cycle.ref()).isEmpty()) {
            return;
        }
        if (cycle.isOf(pod.get())) {
            fail(pod.get(), message);
        } else {
            // A recreated pod of the same name had to wait for this binding.
            queue.retry(cycle.ref(), time.now());
        }
    }
}
