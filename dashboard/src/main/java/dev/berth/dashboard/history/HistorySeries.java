package dev.berth.dashboard.history;

import dev.berth.core.utilisation.UtilisationJson;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;

/// Columns of the samples of one class: one value for each point in time, that of the last sample
/// before it.
final class HistorySeries {

    /// Limit of series; the others are added up.
    private static final int MAX_SERIES = 20;

    /// Age up to which a sample counts, so that gaps are visible.
    private static final long MAX_AGE_SECONDS = 3 * UsageHistory.INTERVAL.toSeconds();

    private final String deviceClass;
    private final List<Optional<Sample>> points;

    /// @param times times of the points, ascending
    /// @param step seconds between two points
    HistorySeries(String deviceClass, List<Sample> samples, List<Long> times, long step) {
        this.deviceClass = deviceClass;
        this.points = new ArrayList<>();
        var next = 0;
        for (var time : times) {
            while (next < samples.size() && samples.get(next).time() <= time) {
                next++;
            }
            var oldest = time - Math.max(step, MAX_AGE_SECONDS);
            points.add(
                    next > 0 && samples.get(next - 1).time() > oldest
                            ? Optional.of(samples.get(next - 1))
                            : Optional.empty());
        }
    }

    private Json column(Function<Sample, OptionalDouble> value) {
        return Json.array(
                points.stream()
                        .map(point ->
                                point.map(value)
                                        .filter(OptionalDouble::isPresent)
                                        .<Json>map(
                                                one -> UtilisationJson.decimal(one.getAsDouble()))
                                        .orElse(Json.JsonNull.INSTANCE))
                        .toList());
    }

    private Json ofClass(Function<Sample.ClassCount, Double> value) {
        return column(sample -> {
            var count = sample.counts().classes().get(deviceClass);
            return count == null ? OptionalDouble.empty() : OptionalDouble.of(value.apply(count));
        });
    }

    Json devices() {
        return ofClass(count -> (double) count.devices());
    }

    Json pending() {
        return column(sample -> OptionalDouble.of(sample.counts().pending()));
    }

    JsonObject timeToSchedule() {
        Function<Function<Sample.Latency, Double>, Json> latency =
                value ->
                        column(sample ->
                                sample.latency().pods() == 0
                                        ? OptionalDouble.empty()
                                        : OptionalDouble.of(value.apply(sample.latency())));
        return JsonObject.of("p50", latency.apply(Sample.Latency::median))
                .with("p99", latency.apply(Sample.Latency::p99))
                .with("pods", column(sample -> OptionalDouble.of(sample.latency().pods())));
    }

    List<JsonObject> byState() {
        return List.of(
                series("inUse", ofClass(Sample.ClassCount::inUse)),
                series("partlyUsed", ofClass(count -> (double) count.partlyUsed())),
                series("free", ofClass(count -> (double) count.free())),
                series("unavailable", ofClass(count -> (double) count.unavailable())));
    }

    /// Series of the namespaces with the largest sums.
    List<JsonObject> byNamespace() {
        var sums = new TreeMap<String, Double>();
        for (var point : points) {
            point.map(one -> one.counts().classes().get(deviceClass))
                    .ifPresent(count ->
                            count.namespaces()
                                    .forEach((name, use) -> sums.merge(name, use, Double::sum)));
        }
        var largest =
                sums.entrySet().stream()
                        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                        .map(Map.Entry::getKey)
                        .limit(MAX_SERIES)
                        .toList();
        var all = new ArrayList<JsonObject>();
        for (var name : largest) {
            all.add(series(name, ofClass(count -> count.namespaces().getOrDefault(name, 0.0))));
        }
        if (sums.size() > MAX_SERIES) {
            var named = new LinkedHashSet<>(largest);
            all.add(
                    series(
                            "",
                            ofClass(count ->
                                    count.namespaces().entrySet().stream()
                                            .filter(one -> !named.contains(one.getKey()))
                                            .mapToDouble(Map.Entry::getValue)
                                            .sum())));
        }
        return all;
    }

    List<JsonObject> fits() {
        var sizes = new LinkedHashSet<String>();
        for (var point : points) {
            point.map(one -> one.counts().classes().get(deviceClass))
                    .ifPresent(count -> sizes.addAll(count.fits().keySet()));
        }
        return sizes.stream()
                .map(size ->
                        JsonObject.of("size", Json.of(size))
                                .with(
                                        "values",
                                        ofClass(count ->
                                                (double) count.fits().getOrDefault(size, 0L))))
                .toList();
    }

    private static JsonObject series(String name, Json values) {
        return JsonObject.of("name", Json.of(name)).with("values", values);
    }
}
