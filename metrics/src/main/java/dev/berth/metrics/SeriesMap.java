package dev.berth.metrics;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/// The series of one metric by label values.
///
/// Their number is bounded: further label values share one series whose labels are all [#OTHER], so
/// that no client can make the memory of a process grow.
final class SeriesMap<S> {

    static final String OTHER = "other";

    /// Maximum number of series of one metric.
    static final int MAX_SERIES = 2_000;

    private final MetricFamily family;
    private final Function<String[], S> create;
    private final ConcurrentMap<List<String>, S> series = new ConcurrentHashMap<>();

    SeriesMap(MetricFamily family, Function<String[], S> create) {
        this.family = family;
        this.create = create;
    }

    S with(String... values) {
        if (values.length != family.labels().size()) {
            throw new IllegalArgumentException(
                    "metric %s has the labels %s, not %d values"
                            .formatted(family.name(), family.labels(), values.length));
        }
        var key = List.of(values);
        var known = series.get(key);
        if (known != null) {
            return known;
        }
        var isFull = series.size() >= MAX_SERIES;
        var bounded = isFull ? Collections.nCopies(values.length, OTHER) : key;
        return series.computeIfAbsent(
                bounded, labels -> create.apply(labels.toArray(String[]::new)));
    }
}
