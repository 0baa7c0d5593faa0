package dev.berth.control.schedule;

import dev.berth.core.place.PluginTimer;
import dev.berth.metrics.Buckets;
import dev.berth.metrics.HistogramMetric;
import dev.berth.metrics.HistogramSeries;
import dev.berth.metrics.MetricsRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/// Execution times of filter plugins: of every tenth pod, as kube-scheduler does, and of its first
/// nodes only. Belongs to the scheduler's thread.
final class PluginDurations implements PluginTimer {

    /// One of this many pods is measured.
    private static final int SAMPLED_PODS = 10;

    /// Maximum number of executions that are measured for one pod.
    private static final int MAX_MEASURED = 200;

    private static final double[] BUCKETS =
            Buckets.rounded(Buckets.exponential(0.00001, 1.5, 20), 6);

    private final boolean isMeasuring;
    private final HistogramMetric durations;
    private final Map<String, HistogramSeries> byPlugin = new HashMap<>();
    private int pods;
    private int left;

    PluginDurations(MetricsRegistry registry) {
        this.isMeasuring = registry.isMeasuring();
        this.durations =
                registry.histogram(
                        "scheduler_plugin_execution_duration_seconds",
                        "Time of a filter plugin on one node, sampled.",
                        BUCKETS,
                        "plugin",
                        "extension_point",
                        "status");
    }

    @Override
    public boolean isSampling() {
        left = MAX_MEASURED;
        return isMeasuring && pods++ % SAMPLED_PODS == 0;
    }

    @Override
    public <T> T measure(String plugin, Supplier<T> execution) {
        if (left == 0) {
            return execution.get();
        }
        left--;
        var start = System.nanoTime();
        var result = execution.get();
        byPlugin.computeIfAbsent(plugin, name -> durations.with(name, "Filter", "Success"))
                .observeNanos(System.nanoTime() - start);
        return result;
    }
}
