package dev.berth.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/// The metrics of one process. Thread-safe.
///
/// A metric that is requested twice with the same help and labels is one metric, so that several
/// schedulers, clients or drivers of a process share it.
public final class MetricsRegistry {

    /// System property: with the value `off`, registries of [#ofProcess] measure nothing.
    public static final String PROPERTY = "berth.metrics";

    private final boolean isMeasuring;
    private final ConcurrentMap<String, Metric> metrics = new ConcurrentHashMap<>();

    // Guarded by this. Created with the first metric that has values: most commands have none, and
    // start faster without the classes of the library.
    private Optional<PrometheusRegistry> collectors = Optional.empty();

    private MetricsRegistry(boolean isMeasuring) {
        this.isMeasuring = isMeasuring;
    }

    /// A registry that measures.
    public static MetricsRegistry measuring() {
        return new MetricsRegistry(true);
    }

    /// A registry whose counters and histograms do nothing.
    public static MetricsRegistry off() {
        return new MetricsRegistry(false);
    }

    /// A registry that measures unless [#PROPERTY] says otherwise.
    public static MetricsRegistry ofProcess() {
        return new MetricsRegistry(!"off".equals(System.getProperty(PROPERTY)));
    }

    private synchronized PrometheusRegistry collectors() {
        var known = collectors.orElseGet(PrometheusRegistry::new);
        collectors = Optional.of(known);
        return known;
    }

    /// False when counters and histograms do nothing.
    public boolean isMeasuring() {
        return isMeasuring;
    }

    /// A counter.
    ///
    /// @param name ends with `_total`
    public CounterMetric counter(String name, String help, String... labels) {
        return metric(
                family(name, MetricFamily.Type.COUNTER, help, labels),
                CounterMetric.class,
                family ->
                        isMeasuring
                                ? CounterMetric.over(collector(family), family)
                                : CounterMetric.off(family));
    }

    private Counter collector(MetricFamily family) {
        return Counter.builder()
                .name(family.name())
                .help(family.help())
                .labelNames(family.labels().toArray(String[]::new))
                .withoutExemplars()
                .register(collectors());
    }

    /// A histogram.
    ///
    /// @param buckets upper bounds, ascending
    public HistogramMetric histogram(String name, String help, double[] buckets, String... labels) {
        return metric(
                family(name, MetricFamily.Type.HISTOGRAM, help, labels),
                HistogramMetric.class,
                family ->
                        isMeasuring
                                ? HistogramMetric.over(collector(family, buckets), family)
                                : HistogramMetric.off(family));
    }

    private Histogram collector(MetricFamily family, double[] buckets) {
        return Histogram.builder()
                .name(family.name())
                .help(family.help())
                .labelNames(family.labels().toArray(String[]::new))
                .classicOnly()
                .classicUpperBounds(buckets)
                .withoutExemplars()
                .register(collectors());
    }

    /// A gauge whose values are read when metrics are exposed.
    public CallbackMetric gauge(String name, String help, String... labels) {
        return metric(
                family(name, MetricFamily.Type.GAUGE, help, labels),
                CallbackMetric.class,
                family -> {
                    var metric = new CallbackMetric(family);
                    GaugeWithCallback.builder()
                            .name(family.name())
                            .help(family.help())
                            .labelNames(family.labels().toArray(String[]::new))
                            .callback(callback -> metric.collect(callback::call))
                            .register(collectors());
                    return metric;
                });
    }

    /// A counter whose values are read when metrics are exposed.
    ///
    /// @param name ends with `_total`
    public CallbackMetric callbackCounter(String name, String help, String... labels) {
        return metric(
                family(name, MetricFamily.Type.COUNTER, help, labels),
                CallbackMetric.class,
                family -> {
                    var metric = new CallbackMetric(family);
                    CounterWithCallback.builder()
                            .name(family.name())
                            .help(family.help())
                            .labelNames(family.labels().toArray(String[]::new))
                            .callback(callback -> metric.collect(callback::call))
                            .register(collectors());
                    return metric;
                });
    }

    private static MetricFamily family(
            String name, MetricFamily.Type type, String help, String... labels) {
        return new MetricFamily(name, type, help, List.of(labels));
    }

    private <T extends Metric> T metric(
            MetricFamily family, Class<T> type, Function<MetricFamily, T> create) {
        var metric = metrics.computeIfAbsent(family.name(), _ -> create.apply(family));
        if (!metric.family().equals(family) || !type.isInstance(metric)) {
            throw new IllegalArgumentException(
                    "metric %s is already registered as %s".formatted(family, metric.family()));
        }
        return type.cast(metric);
    }

    /// All registered metrics by name, also those without values yet.
    public List<MetricFamily> families() {
        return metrics.values().stream()
                .map(Metric::family)
                .sorted(Comparator.comparing(MetricFamily::name))
                .toList();
    }

    /// All metrics that have values, as OpenMetrics text if the client accepts it, otherwise as
    /// Prometheus text.
    ///
    /// @param accept the header `Accept` of the request; may be empty
    public Exposition expose(String accept) {
        var writer = ExpositionFormats.init().findWriter(accept);
        var bytes = new ByteArrayOutputStream();
        try {
            writer.write(bytes, collectors().scrape());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Exposition(writer.getContentType(), bytes.toByteArray());
    }
}
