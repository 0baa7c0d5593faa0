package dev.berth.metrics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A gauge or counter whose values are read when metrics are exposed, so that nothing is measured
/// in between.
public final class CallbackMetric implements Metric {

    private static final Logger LOG = LoggerFactory.getLogger(CallbackMetric.class);

    /// Receives the values of a source.
    @FunctionalInterface
    public interface Sink {
        /// Adds a value to a series.
        ///
        /// @param labels label values in the order of the label names
        void add(double value, String... labels);
    }

    /// A registered source; closing it removes its values.
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    private final MetricFamily family;
    private final List<Consumer<Sink>> sources = new CopyOnWriteArrayList<>();

    CallbackMetric(MetricFamily family) {
        this.family = family;
    }

    @Override
    public MetricFamily family() {
        return family;
    }

    /// Adds a source of values. Values of several sources with the same labels are summed.
    public Registration addSource(Consumer<Sink> source) {
        sources.add(source);
        return () -> sources.remove(source);
    }

    /// Adds a source of one value.
    public Registration addSource(DoubleSupplier value, String... labels) {
        return addSource(sink -> sink.add(value.getAsDouble(), labels));
    }

    /// Replaces all sources.
    void setSource(Consumer<Sink> source) {
        sources.clear();
        sources.add(source);
    }

    void collect(Sink sink) {
        var sums = new LinkedHashMap<List<String>, Double>();
        for (var source : sources) {
            collect(source, sums);
        }
        sums.forEach((labels, value) -> sink.add(value, labels.toArray(String[]::new)));
    }

    /// A failing source must not hide the other metrics.
    private void collect(Consumer<Sink> source, Map<List<String>, Double> sums) {
        try {
            source.accept((value, labels) -> {
                if (sums.size() < SeriesMap.MAX_SERIES) {
                    sums.merge(List.of(labels), value, Double::sum);
                }
            });
        } catch (RuntimeException e) {
            LOG.warn("a source of metric {} failed", family.name(), e);
        }
    }
}
