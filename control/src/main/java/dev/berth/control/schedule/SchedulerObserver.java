package dev.berth.control.schedule;

import dev.berth.control.schedule.SchedulerMetrics.Result;
import dev.berth.core.place.PluginTimer;
import dev.berth.core.schedule.BindingCycle;
import dev.berth.core.schedule.BindingEvent;
import dev.berth.core.schedule.PodQueue;
import dev.berth.core.schedule.QueueingEvent;
import dev.berth.core.schedule.SchedulingQueue;
import dev.berth.core.schedule.SchedulingQueueObserver;
import dev.berth.model.api.pod.Pod;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Measures and logs each step of a pod: queued, decided, written, bound. Belongs to the
/// scheduler's thread.
final class SchedulerObserver implements SchedulingQueueObserver {

    private static final Logger LOG = LoggerFactory.getLogger(SchedulerObserver.class);

    private final SchedulerMetrics metrics;

    /// A scheduling attempt whose pod is being bound. The history is of the time of the decision:
    /// the watch may show the bound pod, which leaves the queue then, before the response to the
    /// binding.
    ///
    /// @param startNanos by [System#nanoTime]
    private record Attempt(long startNanos, Optional<SchedulingQueue.History> history) {}

    private final Map<Long, Attempt> attempts = new HashMap<>();

    SchedulerObserver(SchedulerMetrics metrics) {
        this.metrics = metrics;
    }

    /// Measures the plugins of sampled pods.
    PluginTimer pluginTimer() {
        return metrics.pluginDurations();
    }

    @Override
    public void entered(Pod pod, PodQueue queue, QueueingEvent event) {
        metrics.entered(queue, event);
        if (LOG.isDebugEnabled()) {
            LOG.debug("pod {} queued: {} queue, {}", pod.ref(), queue.label(), event.label());
        }
    }

    /// The decision about a pod was made.
    void decided(long nanos) {
        metrics.decided(nanos);
    }

    /// A pod fits no node, or is not complete.
    void unschedulable(Pod pod, String reason, long startNanos) {
        attempted(pod, Result.UNSCHEDULABLE, startNanos);
        if (LOG.isDebugEnabled()) {
            LOG.debug("pod {} decided: unschedulable: {}", pod.ref(), reason);
        }
    }

    /// The decision about a pod failed.
    void failed(Pod pod, String reason, long startNanos) {
        attempted(pod, Result.ERROR, startNanos);
        if (LOG.isDebugEnabled()) {
            LOG.debug("pod {} decided: error: {}", pod.ref(), reason);
        }
    }

    private void attempted(Pod pod, Result result, long startNanos) {
        metrics.attempted(pod.spec().schedulerName(), result, System.nanoTime() - startNanos);
    }

    /// The binding of a pod begins.
    void binding(BindingCycle cycle, Optional<SchedulingQueue.History> history, long startNanos) {
        attempts.put(cycle.attempt(), new Attempt(startNanos, history));
        if (LOG.isDebugEnabled()) {
            LOG.debug(
                    "pod {} decided: node {}, {} claims to allocate",
                    cycle.ref(),
                    cycle.placed().fits().node(),
                    cycle.placed().fits().allocations().size());
        }
    }

    /// A write of a binding has ended.
    void answered(BindingCycle cycle, BindingEvent answer) {
        if (LOG.isDebugEnabled() && !answer.writtenClaims().isEmpty()) {
            LOG.debug("pod {} written: {} claims", cycle.ref(), answer.writtenClaims().size());
        }
    }

    /// A pod was bound.
    void bound(BindingCycle cycle, Instant now) {
        var history = attempted(cycle, Result.SCHEDULED);
        history.ifPresent(one -> metrics.bound(one, now));
        if (LOG.isDebugEnabled()) {
            LOG.debug(
                    "pod {} bound: node {}, attempt {}",
                    cycle.ref(),
                    cycle.placed().fits().node(),
                    history.map(SchedulingQueue.History::attempts).orElse(1));
        }
    }

    /// The binding of a pod failed.
    void bindingFailed(BindingCycle cycle, String reason) {
        attempted(cycle, Result.ERROR);
        if (LOG.isDebugEnabled()) {
            LOG.debug("pod {} not bound: {}", cycle.ref(), reason);
        }
    }

    /// The binding cycle ended, with or without a result.
    void ended(BindingCycle cycle) {
        attempts.remove(cycle.attempt());
    }

    private Optional<SchedulingQueue.History> attempted(BindingCycle cycle, Result result) {
        var attempt = Optional.ofNullable(attempts.remove(cycle.attempt()));
        attempt.ifPresent(one -> attempted(cycle.pod(), result, one.startNanos));
        return attempt.flatMap(Attempt::history);
    }
}
