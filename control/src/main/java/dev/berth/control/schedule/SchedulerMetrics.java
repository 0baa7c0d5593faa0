package dev.berth.control.schedule;

import dev.berth.core.allocate.AllocatorStatistics;
import dev.berth.core.schedule.PodQueue;
import dev.berth.core.schedule.QueueingEvent;
import dev.berth.core.schedule.SchedulingQueue;
import dev.berth.metrics.Buckets;
import dev.berth.metrics.CallbackMetric;
import dev.berth.metrics.CounterMetric;
import dev.berth.metrics.CounterSeries;
import dev.berth.metrics.HistogramMetric;
import dev.berth.metrics.HistogramSeries;
import dev.berth.metrics.MetricsRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Metrics of a scheduler, with the names, labels and buckets of kube-scheduler, and counters of
/// device allocation.
final class SchedulerMetrics implements AutoCloseable {

    /// The result of a scheduling attempt.
    enum Result {
        SCHEDULED("scheduled"),
        UNSCHEDULABLE("unschedulable"),
        ERROR("error");

        private final String label;

        Result(String label) {
            this.label = label;
        }
    }

    /// From this number on, pods share one label.
    private static final int MAX_ATTEMPTS_LABEL = 15;

    private static final double[] ATTEMPT_BUCKETS = Buckets.exponential(0.001, 2, 15);
    private static final double[] SLI_BUCKETS = Buckets.exponential(0.01, 2, 20);
    private static final double[] COUNT_BUCKETS = Buckets.exponential(1, 2, 5);
    private static final String PROFILE = "profile";

    /// The series of one profile and result.
    private record AttemptSeries(CounterSeries attempts, HistogramSeries duration) {}

    private final Map<String, Map<Result, AttemptSeries>> attempts = new HashMap<>();
    private final Map<QueueingEvent, Map<PodQueue, CounterSeries>> incoming =
            new EnumMap<>(QueueingEvent.class);
    private final HistogramSeries algorithmDuration;
    private final HistogramSeries attemptsPerPod;
    private final HistogramMetric sliDuration;
    private final Map<Integer, HistogramSeries> sliByAttempts = new HashMap<>();
    private final PluginDurations pluginDurations;
    private final CallbackMetric pendingPods;
    private final AllocatorMetrics allocatorMetrics;
    private final List<CallbackMetric.Registration> registrations = new ArrayList<>();

    /// @param profiles names of the scheduler's profiles
    SchedulerMetrics(MetricsRegistry registry, List<String> profiles) {
        var attemptsTotal =
                registry.counter(
                        "scheduler_schedule_attempts_total",
                        "Attempts to schedule pods, by result.",
                        "result",
                        PROFILE);
        var attemptDuration =
                registry.histogram(
                        "scheduler_scheduling_attempt_duration_seconds",
                        "Time of a scheduling attempt: decision and, if scheduled, binding.",
                        ATTEMPT_BUCKETS,
                        "result",
                        PROFILE);
        profiles.forEach(
                profile -> attempts.put(profile, series(profile, attemptsTotal, attemptDuration)));
        this.algorithmDuration =
                registry.histogram(
                                "scheduler_scheduling_algorithm_duration_seconds",
                                "Time of the decision about a pod.",
                                ATTEMPT_BUCKETS)
                        .with();
        this.attemptsPerPod =
                registry.histogram(
                                "scheduler_pod_scheduling_attempts",
                                "Attempts until a pod was scheduled.",
                                COUNT_BUCKETS)
                        .with();
        this.sliDuration =
                registry.histogram(
                        "scheduler_pod_scheduling_sli_duration_seconds",
                        "Time from the first entry of a pod into the active queue to its binding.",
                        SLI_BUCKETS,
                        "attempts");
        countIncoming(registry);
        this.pluginDurations = new PluginDurations(registry);
        this.pendingPods =
                registry.gauge(
                        "scheduler_pending_pods",
                        "Pending pods, by queue: active, backoff, unschedulable or gated.",
                        "queue");
        this.allocatorMetrics = new AllocatorMetrics(registry);
    }

    private static Map<Result, AttemptSeries> series(
            String profile, CounterMetric total, HistogramMetric duration) {
        var series = new EnumMap<Result, AttemptSeries>(Result.class);
        for (var result : Result.values()) {
            series.put(
                    result,
                    new AttemptSeries(
                            total.with(result.label, profile),
                            duration.with(result.label, profile)));
        }
        return series;
    }

    private void countIncoming(MetricsRegistry registry) {
        var total =
                registry.counter(
                        "scheduler_queue_incoming_pods_total",
                        "Pods that entered a queue, by event and queue.",
                        "queue",
                        "event");
        for (var event : QueueingEvent.values()) {
            var byQueue = new EnumMap<PodQueue, CounterSeries>(PodQueue.class);
            for (var queue : PodQueue.values()) {
                byQueue.put(queue, total.with(queue.label(), event.label()));
            }
            incoming.put(event, byQueue);
        }
    }

    /// Reads gauges from a running scheduler until this is closed.
    void observe(
            Supplier<SchedulingQueue.Depths> depths,
            Supplier<List<AllocatorStatistics>> allocators) {
        registrations.add(
                pendingPods.addSource(sink -> {
                    var now = depths.get();
                    sink.add(now.active(), PodQueue.ACTIVE.label());
                    sink.add(now.backOff(), PodQueue.BACK_OFF.label());
                    sink.add(now.unschedulable(), PodQueue.UNSCHEDULABLE.label());
                    sink.add(now.gated(), PodQueue.GATED.label());
                }));
        registrations.addAll(allocatorMetrics.observe(allocators));
    }

    /// Measures the plugins of sampled pods.
    PluginDurations pluginDurations() {
        return pluginDurations;
    }

    void entered(PodQueue queue, QueueingEvent event) {
        var series = incoming.getOrDefault(event, Map.of()).get(queue);
        if (series != null) {
            series.increment();
        }
    }

    void decided(long nanos) {
        algorithmDuration.observeNanos(nanos);
    }

    /// Records the end of a scheduling attempt.
    void attempted(String profile, Result result, long nanos) {
        var series = attempts.getOrDefault(profile, Map.of()).get(result);
        if (series != null) {
            series.attempts.increment();
            series.duration.observeNanos(nanos);
        }
    }

    /// Records the end of all scheduling of a pod.
    void bound(SchedulingQueue.History history, Instant now) {
        attemptsPerPod.observe(history.attempts());
        sli(history.attempts())
                .observeNanos(Duration.between(history.firstActive(), now).toNanos());
    }

    private HistogramSeries sli(int attemptsOfPod) {
        return sliByAttempts.computeIfAbsent(
                Math.min(attemptsOfPod, MAX_ATTEMPTS_LABEL),
                number ->
                        sliDuration.with(
                                number == MAX_ATTEMPTS_LABEL ? number + "+" : number.toString()));
    }

    @Override
    public void close() {
        registrations.forEach(CallbackMetric.Registration::close);
    }
}
