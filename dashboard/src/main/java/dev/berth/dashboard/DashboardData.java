package dev.berth.dashboard;

import dev.berth.client.Cluster;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.dashboard.fleet.FleetFilter;
import dev.berth.dashboard.history.HistoryView;
import dev.berth.dashboard.http.DashboardError;
import dev.berth.dashboard.http.DataApi;
import dev.berth.dashboard.http.DataBody;
import dev.berth.dashboard.http.DataRequest;
import dev.berth.dashboard.http.EventLog;
import dev.berth.dashboard.pending.PendingView;
import dev.berth.dashboard.pending.PodExplanations;
import dev.berth.dashboard.table.ObjectEvents;
import dev.berth.dashboard.table.ObjectView;
import dev.berth.dashboard.table.Tables;
import dev.berth.dashboard.whatif.PlanRunner;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The content of the data API of a dashboard: routes requests to the parts that answer them.
final class DashboardData implements DataApi, AutoCloseable {

    private final DashboardOptions options;
    private final FleetUpdater updater;
    private final FleetFilter filter;
    private final PendingView pending;
    private final PlanRunner plans;
    private final Tables tables;
    private final HistoryView history;
    private final ObjectEvents objectEvents;
    private final ObjectView objects;

    private DashboardData(
            Cluster cluster, DashboardOptions options, FleetUpdater updater, Allocator allocator) {
        this.options = options;
        this.updater = updater;
        var watch = updater.watch();
        var fleet = updater.fleet();
        this.filter = new FleetFilter(fleet, allocator);
        this.pending =
                new PendingView(
                        watch,
                        new PodExplanations(watch, fleet, allocator, options.clock()),
                        pod -> options.identity().schedules(pod.spec().schedulerName()),
                        options.clock());
        this.plans = new PlanRunner(watch, fleet, allocator, options.manifests());
        this.tables = new Tables(watch, fleet, options.clock());
        this.history = new HistoryView(updater.recorder().history(), options.clock());
        this.objectEvents = new ObjectEvents(cluster);
        this.objects = new ObjectView(cluster, objectEvents);
    }

    static DashboardData start(Cluster cluster, DashboardOptions options) {
        var allocator = new Allocator(Allocator.DEFAULT_BUDGET);
        var updater = FleetUpdater.start(cluster, options, allocator);
        return new DashboardData(cluster, options, updater, allocator);
    }

    @Override
    public DataBody answer(DataRequest request) throws DashboardError, InterruptedException {
        var name = request.path().isEmpty() ? "" : request.path().getFirst();
        if (name.equals("session")) {
            request.require("GET");
            return DataBody.of(session());
        }
        requireLoaded();
        if (name.equals("plan")) {
            return plan(request);
        }
        request.require("GET");
        if (name.equals("fleet") && request.parameter("at").isEmpty()) {
            return updater.body();
        }
        // The revision is read first, so that the data are at least as new.
        var revision = events().revision();
        return DataBody.of(
                read(name, request).beginningWith(JsonObject.of("rev", Json.of(revision))));
    }

    private JsonObject read(String name, DataRequest request) throws DashboardError {
        return switch (name) {
            case "fleet" -> history.fleet(request, updater.fleet());
            case "filter" -> filter.matches(request.required("cel"));
            case "pending" -> pending();
            case "explain" -> explain(request);
            case "table" -> tables.of(segment(request, 1), request);
            case "gang" -> gang(request);
            case "device" -> device(request);
            case "history" -> history(request);
            case "timeline" -> timeline(request);
            case "object" ->
                    objects.of(
                            segment(request, 1),
                            request.parameter("namespace").orElse(""),
                            segment(request, 2));
            default ->
                    throw DashboardError.notFound(
                            "no such data: " + String.join("/", request.path()));
        };
    }

    private JsonObject pending() {
        var list = pending.list();
        return updater.recorder()
                .lastPlaced()
                .map(one -> list.with("lastPlaced", one))
                .orElse(list);
    }

    private static String segment(DataRequest request, int number) throws DashboardError {
        if (number >= request.path().size()) {
            throw DashboardError.notFound("incomplete path: " + String.join("/", request.path()));
        }
        return request.path().get(number);
    }

    private DataBody plan(DataRequest request) throws DashboardError {
        if (request.method().equals("DELETE")) {
            plans.cancel(request.session());
            return DataBody.of(JsonObject.EMPTY);
        }
        request.require("POST");
        var revision = events().revision();
        return DataBody.of(
                plans.run(request).beginningWith(JsonObject.of("rev", Json.of(revision))));
    }

    private JsonObject explain(DataRequest request) throws DashboardError {
        var isClaim = request.path().size() == 4 && segment(request, 1).equals("claim");
        var first = isClaim ? 2 : 1;
        var ref = new ObjectRef(segment(request, first), segment(request, first + 1));
        return pending.explain(ref, isClaim, request.parameter("matrix"))
                .orElseThrow(() ->
                        DashboardError.notFound(
                                "there is no %s %s".formatted(isClaim ? "claim" : "pod", ref)));
    }

    private JsonObject gang(DataRequest request) throws DashboardError {
        var ref = new ObjectRef(segment(request, 1), segment(request, 2));
        var gang =
                tables.gang(ref)
                        .orElseThrow(() -> DashboardError.notFound("there is no gang " + ref));
        var explanation =
                tables.pendingOfGang(ref)
                        .flatMap(pod -> pending.explain(pod, false, Optional.empty()));
        return explanation
                .map(one -> gang.with("explanation", one.objectOrEmpty("explanation")))
                .orElse(gang);
    }

    private static DeviceId deviceId(DataRequest request) throws DashboardError {
        return new DeviceId(
                request.required("driver"), request.required("pool"), request.required("device"));
    }

    private JsonObject device(DataRequest request) throws DashboardError {
        var id = deviceId(request);
        var device =
                updater.fleet()
                        .device(id)
                        .orElseThrow(
                                () -> DashboardError.notFound("no slice publishes device " + id));
        return device.with(
                "events",
                Json.array(objectEvents.of("", Set.of("ResourceSlice/" + device.text("slice")))));
    }

    private JsonObject history(DataRequest request) throws DashboardError {
        var fleet = updater.fleet();
        var classes = fleet.utilisation().classes().keySet();
        return history.charts(request, List.copyOf(classes), fleet.places());
    }

    private JsonObject timeline(DataRequest request) throws DashboardError {
        if (segment(request, 1).equals("device")) {
            var id = deviceId(request);
            var taints =
                    updater.fleet().device(id).map(one -> one.items("taints")).orElse(List.of());
            return JsonObject.of("driver", Json.of(id.driver()))
                    .with("pool", Json.of(id.pool()))
                    .with("device", Json.of(id.device()))
                    .with("holders", Json.array(history.holders(id)))
                    .with("taints", Json.array(taints));
        }
        if (!segment(request, 1).equals("claim")) {
            throw DashboardError.notFound("no such timeline: " + segment(request, 1));
        }
        var ref = new ObjectRef(segment(request, 2), segment(request, 3));
        var phases = updater.recorder().phases().of(ref);
        var devices = history.devices(ref);
        if (phases.isEmpty() && devices.isEmpty()) {
            throw DashboardError.notFound("there is no claim %s, and none was seen".formatted(ref));
        }
        var subjects = new HashSet<String>();
        subjects.add("ResourceClaim/" + ref.name());
        updater.watch()
                .claims()
                .find(ref)
                .ifPresent(claim ->
                        claim.status()
                                .reservedFor()
                                .forEach(user -> subjects.add("Pod/" + user.name())));
        return JsonObject.of("namespace", Json.of(ref.namespace()))
                .with("name", Json.of(ref.name()))
                .with("phases", Json.array(phases.orElse(List.of())))
                .with("devices", Json.array(devices))
                .with("events", Json.array(objectEvents.of(ref.namespace(), subjects)));
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
        var policies = PlacementPolicy.all().stream().map(one -> Json.of(one.toString())).toList();
        return JsonObject.of("version", Json.of(identity.version()))
                .with("user", Json.of(identity.user()))
                .with("cluster", Json.of(identity.name()))
                .with("server", Json.of(identity.server()))
                .with("namespace", Json.of(identity.namespace()))
                .with("readOnly", Json.of(true))
                .with("policies", Json.array(policies));
    }

    @Override
    public EventLog events() {
        return updater.events();
    }

    @Override
    public void ended(String session) {
        plans.cancel(session);
    }

    @Override
    public void close() {
        updater.close();
    }
}
