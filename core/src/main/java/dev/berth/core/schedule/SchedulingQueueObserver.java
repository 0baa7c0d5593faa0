package dev.berth.core.schedule;

import dev.berth.model.api.pod.Pod;

/// Observes the scheduling queue, for metrics and logs.
@FunctionalInterface
public interface SchedulingQueueObserver {

    /// Called when a pod enters a queue.
    void entered(Pod pod, PodQueue queue, QueueingEvent event);
}
