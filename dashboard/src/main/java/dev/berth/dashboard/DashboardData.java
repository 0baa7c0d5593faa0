package dev.berth.dashboard;

import dev.berth.client.Cluster;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.dashboard.http.DashboardError;
import dev.berth.dashboard.http.DataApi;
import dev.berth.dashboard.http.DataBody;
import dev.berth.dashboard.http.DataRequest;
import dev.berth.dashboard.http.EventLog;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.Arrays;
import java.util.Locale;

/// The content of the data API of a dashboard: routes requests to the parts that answer them.
final class DashboardData implements DataApi, AutoCloseable {

    private final DashboardOptions options;
    private final FleetUpdater updater;

    private DashboardData(DashboardOptions options, FleetUpdater updater) {
        this.options = options;
        this.updater = updater;
    }

    static DashboardData start(Cluster cluster, DashboardOptions options) {
        var allocator = new Allocator(Allocator.DEFAULT_BUDGET);
        return new DashboardData(options, FleetUpdater.start(cluster, options, allocator));
    }

    @Override
    public DataBody answer(DataRequest request) throws DashboardError, InterruptedException {
        var name = request.path().isEmpty() ? "" : request.path().getFirst();
        if (name.equals("session")) {
            request.require("GET");
            return DataBody.of(session());
        }
        requireLoaded();
        return switch (name) {
            case "fleet" -> {
                request.require("GET");
                yield updater.body();
            }
            default ->
                    throw DashboardError.notFound(
                            "no such data: " + String.join("/", request.path()));
        };
    }

    private void requireLoaded() throws DashboardError {
        if (updater.isLoaded()) {
            return;
        }
        var progress = JsonObject.EMPTY;
        for (var one : updater.watch().progress()) {
            progress =
                    progress.with(
                            one.resource(),
                            JsonObject.of("seen", Json.of(one.objects()))
                                    .with("synced", Json.of(one.isListed())));
        }
        throw new DashboardError(503, "Loading", "the cluster is being read", "")
                .with("progress", progress);
    }

    private JsonObject session() {
        var identity = options.identity();
        return JsonObject.of("version", Json.of(identity.version()))
                .with("user", Json.of(identity.user()))
                .with("cluster", Json.of(identity.name()))
                .with("server", Json.of(identity.server()))
                .with("namespace", Json.of(identity.namespace()))
                .with("readOnly", Json.of(true))
                .with(
                        "policies",
                        Json.array(
                                Arrays.stream(PlacementPolicy.values())
                                        .map(one ->
                                                Json.of(
                                                        one.name()
                                                                .toLowerCase(Locale.ROOT)
                                                                .replace('_', '-')))
                                        .toList()));
    }

    @Override
    public EventLog events() {
        return updater.events();
    }

    @Override
    public void ended(String session) {
        // Nothing runs for a session.
    }

    @Override
    public void close() {
        updater.close();
    }
}
