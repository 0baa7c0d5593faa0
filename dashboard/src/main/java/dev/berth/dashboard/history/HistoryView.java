package dev.berth.dashboard.history;

import dev.berth.dashboard.fleet.DevicePlace;
import dev.berth.dashboard.fleet.FleetModel;
import dev.berth.dashboard.http.DashboardError;
import dev.berth.dashboard.http.DataRequest;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// JSON of the history: charts of a class, holders of a device, devices of a claim.
public final class HistoryView {

    private static final int MAX_POINTS = 1_000;
    private static final int USUAL_POINTS = 300;
    private static final int MAX_SERIES = 20;

    /// Limit of intervals in an answer.
    private static final int MAX_INTERVALS = 1_000;

    private final UsageHistory history;
    private final Clock clock;

    public HistoryView(UsageHistory history, Clock clock) {
        this.history = history;
        this.clock = clock;
    }

    /// Charts.
    ///
    /// @param classes names of all classes
    /// @param classesOf classes of a device, and its node
    public JsonObject charts(
            DataRequest request,
            List<String> classes,
            Function<DeviceId, Optional<DevicePlace>> classesOf)
            throws DashboardError {
        var now = clock.instant().getEpochSecond();
        var to = time(request, "to", now);
        var from = time(request, "from", to - UsageHistory.KEPT.toSeconds());
        if (from >= to) {
            throw DashboardError.badRequest("from=%d is not before to=%d".formatted(from, to));
        }
        var points = request.number("points", USUAL_POINTS, 1, MAX_POINTS);
        var step = Math.max(1, (to - from) / points);
        var times = new ArrayList<Long>();
        for (var at = from + step; at <= to && times.size() < points; at += step) {
            times.add(at);
        }
        var name = request.parameter("class").orElse(classes.isEmpty() ? "" : classes.getFirst());
        var by = request.parameter("by").orElse("namespace");
        var columns = new HistorySeries(name, history.samples(), times, step);
        var series =
                switch (by) {
                    case "namespace" -> columns.byNamespace();
                    case "state" -> columns.byState();
                    case "node" -> held(times, name, classesOf, DevicePlace::node);
                    case "gang" -> heldByGang(times, name, classesOf);
                    default ->
                            throw DashboardError.badRequest(
                                    "by=%s is not namespace, state, node or gang".formatted(by));
                };
        return JsonObject.of("class", Json.of(name))
                .with("by", Json.of(by))
                .with("from", Json.of(from))
                .with("to", Json.of(to))
                .with("step", Json.of(step))
                .with("time", Json.array(times.stream().map(Json::of).toList()))
                .with("devices", columns.devices())
                .with("series", Json.array(series))
                .with("fits", Json.array(columns.fits()))
                .with("pending", columns.pending())
                .with("timeToSchedule", columns.timeToSchedule());
    }

    /// The nodes of today with the holders of an earlier time.
    public JsonObject fleet(DataRequest request, FleetModel fleet) throws DashboardError {
        var at = time(request, "at", clock.instant().getEpochSecond());
        var held = new ArrayList<FleetModel.PastHold>();
        for (var interval : history.intervals()) {
            if (interval.from() <= at && at < interval.to()) {
                held.add(
                        new FleetModel.PastHold(
                                interval.device(),
                                interval.claim(),
                                interval.pods(),
                                interval.gang()));
            }
        }
        return fleet.past(held)
                .with("past", Json.of(true))
                .beginningWith(JsonObject.of("time", Json.of(Instant.ofEpochSecond(at))));
    }

    private static long time(DataRequest request, String name, long usual) throws DashboardError {
        var text = request.parameter(name).orElse("");
        if (text.isEmpty()) {
            return usual;
        }
        if (text.matches("[0-9]{1,12}")) {
            return Long.parseLong(text);
        }
        try {
            return Instant.parse(text).getEpochSecond();
        } catch (DateTimeException _) {
            throw DashboardError.badRequest(
                    "%s=%s is neither seconds since 1970 nor an RFC 3339 time"
                            .formatted(name, text));
        }
    }

    private List<JsonObject> heldByGang(
            List<Long> times, String name, Function<DeviceId, Optional<DevicePlace>> places) {
        return counted(
                times,
                interval ->
                        places.apply(interval.device())
                                .filter(place -> place.classes().contains(name))
                                .map(_ -> interval.gang()));
    }

    private List<JsonObject> held(
            List<Long> times,
            String name,
            Function<DeviceId, Optional<DevicePlace>> places,
            Function<DevicePlace, String> key) {
        return counted(
                times,
                interval ->
                        places.apply(interval.device())
                                .filter(place -> place.classes().contains(name))
                                .map(key));
    }

    /// Devices with a holder, by a key of the interval.
    private List<JsonObject> counted(
            List<Long> times, Function<HolderInterval, Optional<String>> key) {
        var counts = new LinkedHashMap<String, long[]>();
        for (var interval : history.intervals()) {
            var name = key.apply(interval);
            if (name.isEmpty()) {
                continue;
            }
            var isNew = !counts.containsKey(name.get());
            var column = isNew && counts.size() >= MAX_SERIES ? "" : name.get();
            var values = counts.computeIfAbsent(column, _ -> new long[times.size()]);
            for (var i = 0; i < values.length; i++) {
                if (interval.from() <= times.get(i) && times.get(i) < interval.to()) {
                    values[i]++;
                }
            }
        }
        return counts.entrySet().stream().map(HistoryView::series).toList();
    }

    private static JsonObject series(Map.Entry<String, long[]> one) {
        var values = new ArrayList<Json>();
        for (var value : one.getValue()) {
            values.add(Json.of(value));
        }
        return JsonObject.of("name", Json.of(one.getKey())).with("values", Json.array(values));
    }

    /// The holders of a device, the newest first.
    public List<JsonObject> holders(DeviceId device) {
        return history.intervals().stream()
                .filter(one -> one.device().equals(device))
                .limit(MAX_INTERVALS)
                .map(one ->
                        span(
                                one,
                                JsonObject.of("namespace", Json.of(one.claim().namespace()))
                                        .with("claim", Json.of(one.claim().name()))
                                        .with(
                                                "pods",
                                                Json.array(
                                                        one.pods().stream().map(Json::of).toList()))
                                        .with("gang", Json.of(one.gang()))
                                        .with("current", Json.of(one.isOpen()))))
                .toList();
    }

    /// The devices that a claim held, the newest first.
    public List<JsonObject> devices(ObjectRef claim) {
        return history.intervals().stream()
                .filter(one -> one.claim().equals(claim))
                .limit(MAX_INTERVALS)
                .map(one ->
                        span(
                                one,
                                JsonObject.of("driver", Json.of(one.device().driver()))
                                        .with("pool", Json.of(one.device().pool()))
                                        .with("device", Json.of(one.device().device()))))
                .toList();
    }

    private static JsonObject span(HolderInterval interval, JsonObject tree) {
        var begun = tree.with("from", Json.of(Instant.ofEpochSecond(interval.from())));
        return interval.isOpen()
                ? begun
                : begun.with("to", Json.of(Instant.ofEpochSecond(interval.to())));
    }
}
