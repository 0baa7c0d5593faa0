package dev.berth.dashboard.table;

import dev.berth.dashboard.fleet.FleetModel;
import dev.berth.dashboard.http.DataRequest;
import dev.berth.dashboard.http.DashboardError;
import dev.berth.dashboard.watch.ClusterWatch;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Clock;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// The tables of the page, filtered and limited.
public final class Tables {

    private static final int MAX_ROWS = 5_000;
    private static final int USUAL_ROWS = 500;

    private final ClusterWatch watch;
    private final FleetModel fleet;
    private final TableRows rows;
    private final GangRows gangs;

    public Tables(ClusterWatch watch, FleetModel fleet, Clock clock) {
        this.watch = watch;
        this.fleet = fleet;
        this.rows = new TableRows(watch, fleet, clock);
        this.gangs = new GangRows(watch);
    }

    /// A part of a table.
    public JsonObject of(String kind, DataRequest request) throws DashboardError {
        var limit = request.number("limit", USUAL_ROWS, 1, MAX_ROWS);
        var offset = request.number("offset", 0, 0, Integer.MAX_VALUE / 2);
        var words = request.parameter("q").orElse("").toLowerCase(Locale.ROOT).strip();
        var namespace = request.parameter("namespace");
        var matching =
                all(kind)
                        .filter(row -> isInNamespace(row, namespace))
                        .filter(row -> contains(row, words))
                        .toList();
        return JsonObject.of("total", Json.of(matching.size()))
                .with("offset", Json.of(offset))
                .with(
                        "rows",
                        Json.array(matching.stream().skip(offset).limit(limit).toList()));
    }

    private Stream<JsonObject> all(String kind) throws DashboardError {
        var snapshot = fleet.snapshot();
        return switch (kind) {
            case "claims" -> sorted(watch.claims().all()).map(rows::claim);
            case "classes" -> {
                var utilisation = fleet.utilisation();
                yield sorted(watch.classes().all())
                        .map(one -> rows.deviceClass(one, utilisation));
            }
            case "slices" -> sorted(watch.slices().all()).map(one -> rows.slice(one, snapshot));
            case "drivers" -> DriverRows.of(watch, snapshot).stream();
            case "quotas" ->
                    sorted(watch.quotas().all()).flatMap(one -> TableRows.quota(one).stream());
            case "gangs" -> gangs.all().stream();
            default -> throw DashboardError.notFound("there is no table \"%s\"".formatted(kind));
        };
    }

    private static <T extends KubernetesObject> Stream<T> sorted(Collection<T> objects) {
        return List.copyOf(objects).stream()
                .sorted(Comparator.comparing(one -> one.metadata().ref()));
    }

    private static boolean isInNamespace(JsonObject row, Optional<String> namespace) {
        return namespace.isEmpty() || row.text("namespace").equals(namespace.get());
    }

    private static boolean contains(JsonObject row, String words) {
        if (words.isEmpty()) {
            return true;
        }
        var text =
                String.join(
                                " ",
                                row.text("namespace"),
                                row.text("name"),
                                row.text("driver"),
                                row.text("pool"),
                                row.text("node"),
                                row.text("owner"),
                                row.text("resource"),
                                String.join(" ", row.strings("pods")))
                        .toLowerCase(Locale.ROOT);
        return Arrays.stream(words.split("\\s+")).allMatch(text::contains);
    }

    /// A gang with its members.
    public Optional<JsonObject> gang(ObjectRef ref) {
        return gangs.one(ref);
    }

    /// The first pending pod of a gang.
    public Optional<ObjectRef> pendingOfGang(ObjectRef ref) {
        return gangs.pending(ref);
    }
}
