package dev.berth.metrics;

import dev.berth.model.workqueue.WorkQueueLoop;
import dev.berth.model.workqueue.WorkQueueObserver;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Metrics of work queues, with the names, labels and buckets of client-go.
public final class WorkQueueMetrics {

    private static final double[] BUCKETS = Buckets.rounded(Buckets.exponential(1e-8, 10, 12), 2);
    private static final String NAME = "name";

    private final boolean isMeasuring;
    private final CallbackMetric depth;
    private final CounterMetric adds;
    private final CounterMetric retries;
    private final HistogramMetric queueDuration;
    private final HistogramMetric workDuration;
    private final CallbackMetric unfinished;
    private final CallbackMetric longestRunning;

    public WorkQueueMetrics(MetricsRegistry registry) {
        this.isMeasuring = registry.isMeasuring();
        this.depth = registry.gauge("workqueue_depth", "Keys that wait in a work queue.", NAME);
        this.adds =
                registry.counter(
                        "workqueue_adds_total", "Keys that were added to a work queue.", NAME);
        this.retries =
                registry.counter("workqueue_retries_total", "Retries after a failure.", NAME);
        this.queueDuration =
                registry.histogram(
                        "workqueue_queue_duration_seconds",
                        "Time that a key waits in a work queue before it is processed.",
                        BUCKETS,
                        NAME);
        this.workDuration =
                registry.histogram(
                        "workqueue_work_duration_seconds",
                        "Time that the processing of a key takes.",
                        BUCKETS,
                        NAME);
        this.unfinished =
                registry.gauge(
                        "workqueue_unfinished_work_seconds",
                        "Sum of the time that keys have been processed so far.",
                        NAME);
        this.longestRunning =
                registry.gauge(
                        "workqueue_longest_running_processor_seconds",
                        "Time that the key in progress longest has been processed so far.",
                        NAME);
    }

    /// Measures the queue of a control loop until the result is closed. To be called before the
    /// loop starts.
    ///
    /// @param clock of the loop
    public CallbackMetric.Registration observe(
            String name, WorkQueueLoop<?> loop, InstantSource clock) {
        if (!isMeasuring) {
            return () -> {};
        }
        var observer = new QueueObserver(name);
        loop.observe(observer);
        var registrations =
                List.of(
                        depth.addSource(() -> loop.depth(clock.instant()), name),
                        unfinished.addSource(observer::unfinishedSeconds, name),
                        longestRunning.addSource(observer::longestRunningSeconds, name));
        return () -> registrations.forEach(CallbackMetric.Registration::close);
    }

    /// The measurements of one queue.
    private final class QueueObserver implements WorkQueueObserver {
        private final CounterSeries addsOfQueue;
        private final CounterSeries retriesOfQueue;
        private final HistogramSeries queueDurationOfQueue;
        private final HistogramSeries workDurationOfQueue;

        // Guarded by the lock of the queue.
        private final Map<Object, Long> addedNanos = new HashMap<>();

        // Read while metrics are exposed.
        private final Map<Object, Long> startedNanos = new ConcurrentHashMap<>();

        QueueObserver(String name) {
            this.addsOfQueue = adds.with(name);
            this.retriesOfQueue = retries.with(name);
            this.queueDurationOfQueue = queueDuration.with(name);
            this.workDurationOfQueue = workDuration.with(name);
        }

        @Override
        public void added(Object key) {
            addsOfQueue.increment();
            addedNanos.putIfAbsent(key, System.nanoTime());
        }

        @Override
        public void taken(Object key, Duration overdue) {
            var now = System.nanoTime();
            var added = addedNanos.remove(key);
            if (added == null) {
                // It was added for a later time, and counts from then on.
                addsOfQueue.increment();
                queueDurationOfQueue.observeNanos(overdue.toNanos());
            } else {
                queueDurationOfQueue.observeNanos(now - added);
            }
            startedNanos.put(key, now);
        }

        @Override
        public void retried(Object key) {
            retriesOfQueue.increment();
        }

        @Override
        public void finished(Object key) {
            var started = startedNanos.remove(key);
            if (started != null) {
                workDurationOfQueue.observeNanos(System.nanoTime() - started);
            }
        }

        private double unfinishedSeconds() {
            var now = System.nanoTime();
            return startedNanos.values().stream().mapToLong(started -> now - started).sum() / 1e9;
        }

        private double longestRunningSeconds() {
            var now = System.nanoTime();
            return startedNanos.values().stream()
                            .mapToLong(started -> now - started)
                            .max()
                            .orElse(0)
                    / 1e9;
        }
    }
}
