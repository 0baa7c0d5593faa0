package dev.berth.dashboard.history;

import dev.berth.core.utilisation.ClassUtilisation;
import dev.berth.core.utilisation.ClusterUtilisation;
import dev.berth.core.utilisation.Fit;
import dev.berth.core.utilisation.UtilisationJson;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Utilisation of all classes at one time, and the pods that were scheduled since the last sample.
///
/// @param time seconds since 1970
record Sample(long time, Counts counts, Latency latency) {

    /// The part that often stays the same.
    record Counts(SortedMap<String, ClassCount> classes, int pending) {
        Counts {
            classes = Collections.unmodifiableSortedMap(new TreeMap<>(classes));
        }
    }

    /// Counts of one class.
    ///
    /// @param fits requests that fit, by size; -1 for unlimited
    record ClassCount(
            long devices,
            double inUse,
            long partlyUsed,
            long free,
            long unavailable,
            Map<String, Double> namespaces,
            Map<String, Long> fits) {
        ClassCount {
            namespaces = Collections.unmodifiableMap(new LinkedHashMap<>(namespaces));
            fits = Collections.unmodifiableMap(new LinkedHashMap<>(fits));
        }
    }

    /// Seconds from the creation of pods to their node.
    record Latency(double median, double p99, int pods) {
        static final Latency NONE = new Latency(0, 0, 0);
    }

    static Counts counts(ClusterUtilisation utilisation, int pending) {
        var classes = new TreeMap<String, ClassCount>();
        utilisation.classes().forEach((name, one) -> classes.put(name, count(one)));
        return new Counts(classes, pending);
    }

    private static ClassCount count(ClassUtilisation one) {
        var fits = new LinkedHashMap<String, Long>();
        for (var fit : one.fits()) {
            fits.put(fit.size().label(), fit.now() == Fit.UNLIMITED ? -1 : fit.now());
        }
        return new ClassCount(
                one.total().devices(),
                one.total().inUse(),
                one.partlyUsed(),
                one.free(),
                one.unavailable(),
                one.namespaces(),
                fits);
    }

    /// A line of the file. Unchanged counts are left out.
    JsonObject json(boolean hasCounts) {
        var tree = JsonObject.of("t", Json.of(time));
        if (latency.pods > 0) {
            tree =
                    tree.with("p50", UtilisationJson.decimal(latency.median))
                            .with("p99", UtilisationJson.decimal(latency.p99))
                            .with("n", Json.of(latency.pods));
        }
        if (!hasCounts) {
            return tree;
        }
        var classes = JsonObject.EMPTY;
        for (var one : counts.classes.entrySet()) {
            classes = classes.with(one.getKey(), json(one.getValue()));
        }
        return tree.with("pending", Json.of(counts.pending)).with("classes", classes);
    }

    private static JsonObject json(ClassCount count) {
        var namespaces = JsonObject.EMPTY;
        for (var one : count.namespaces.entrySet()) {
            namespaces = namespaces.with(one.getKey(), UtilisationJson.decimal(one.getValue()));
        }
        var fits = JsonObject.EMPTY;
        for (var one : count.fits.entrySet()) {
            fits = fits.with(one.getKey(), Json.of(one.getValue()));
        }
        return JsonObject.of("d", Json.of(count.devices))
                .with("u", UtilisationJson.decimal(count.inUse))
                .with("p", Json.of(count.partlyUsed))
                .with("f", Json.of(count.free))
                .with("x", Json.of(count.unavailable))
                .with("ns", namespaces)
                .with("fits", fits);
    }

    /// A sample of a line.
    ///
    /// @param last counts of the line before
    static Sample parse(JsonObject line, Counts last) {
        var counts = line.object("classes").map(all -> counts(line, all)).orElse(last);
        var latency =
                line.has("n")
                        ? new Latency(
                                decimal(line, "p50"),
                                decimal(line, "p99"),
                                (int) line.number("n").orElse(0))
                        : Latency.NONE;
        return new Sample(line.number("t").orElse(0), counts, latency);
    }

    private static Counts counts(JsonObject line, JsonObject all) {
        var classes = new TreeMap<String, ClassCount>();
        for (var name : all.names()) {
            var one = all.objectOrEmpty(name);
            var namespaces = new LinkedHashMap<String, Double>();
            var byNamespace = one.objectOrEmpty("ns");
            byNamespace.names().forEach(ns -> namespaces.put(ns, decimal(byNamespace, ns)));
            var fits = new LinkedHashMap<String, Long>();
            var bySize = one.objectOrEmpty("fits");
            bySize.names().forEach(size -> fits.put(size, bySize.number(size).orElse(0)));
            classes.put(
                    name,
                    new ClassCount(
                            one.number("d").orElse(0),
                            decimal(one, "u"),
                            one.number("p").orElse(0),
                            one.number("f").orElse(0),
                            one.number("x").orElse(0),
                            namespaces,
                            fits));
        }
        return new Counts(classes, (int) line.number("pending").orElse(0));
    }

    private static double decimal(JsonObject tree, String name) {
        return tree.member(name).orElse(Json.JsonNull.INSTANCE) instanceof JsonNumber number
                ? Double.parseDouble(number.literal())
                : 0;
    }
}
