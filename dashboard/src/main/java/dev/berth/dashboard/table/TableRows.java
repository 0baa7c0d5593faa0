package dev.berth.dashboard.table;

import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.utilisation.ClusterUtilisation;
import dev.berth.core.utilisation.UtilisationJson;
import dev.berth.dashboard.fleet.FleetModel;
import dev.berth.dashboard.fleet.PodOwner;
import dev.berth.dashboard.watch.ClusterWatch;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.ResourceQuota;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.SliceScope;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Rows of the tables of claims, classes, slices and quotas.
final class TableRows {

    /// Limit of devices in a row of a claim.
    private static final int MAX_DEVICES = 16;

    private static final int PERCENT = 100;

    private final ClusterWatch watch;
    private final FleetModel fleet;
    private final Clock clock;

    TableRows(ClusterWatch watch, FleetModel fleet, Clock clock) {
        this.watch = watch;
        this.fleet = fleet;
        this.clock = clock;
    }

    static JsonObject named(ObjectMeta metadata) {
        var tree =
                metadata.namespace().isEmpty()
                        ? JsonObject.EMPTY
                        : JsonObject.of("namespace", Json.of(metadata.namespace()));
        return tree.with("name", Json.of(metadata.name()));
    }

    static JsonObject created(JsonObject tree, ObjectMeta metadata) {
        var created = metadata.creationTimestamp();
        return created.isPresent() ? tree.with("created", Json.of(created.get())) : tree;
    }

    static Json texts(Collection<String> texts) {
        return Json.array(texts.stream().map(Json::of).toList());
    }

    static JsonObject device(AllocatedDevice device) {
        return JsonObject.of("driver", Json.of(device.id().driver()))
                .with("pool", Json.of(device.id().pool()))
                .with("device", Json.of(device.id().device()));
    }

    JsonObject claim(ResourceClaim claim) {
        var devices = claim.status().allocation().map(one -> one.devices()).orElse(List.of());
        var pods =
                claim.status().reservedFor().stream()
                        .filter(user -> !user.isPodGroup())
                        .map(ConsumerReference::name)
                        .toList();
        var pod = pods.stream().findFirst().flatMap(name -> pod(claim, name));
        var tree =
                named(claim.metadata())
                        .with("phase", Json.of(ClaimPhase.of(claim, watch, clock.instant()).text()))
                        .with("classes", texts(classes(claim)))
                        .with(
                                "devices",
                                Json.array(
                                        devices.stream()
                                                .limit(MAX_DEVICES)
                                                .map(TableRows::device)
                                                .toList()))
                        .with("deviceCount", Json.of(devices.size()))
                        .with("node", Json.of(node(devices, pod)))
                        .with("pods", texts(pods))
                        .with("gang", Json.of(gang(claim, pod)))
                        .with("owner", Json.of(pod.map(PodOwner::text).orElse("")));
        return created(tree, claim.metadata());
    }

    private Optional<Pod> pod(ResourceClaim claim, String name) {
        return watch.pods().find(new ObjectRef(claim.ref().namespace(), name));
    }

    private static String gang(ResourceClaim claim, Optional<Pod> pod) {
        return claim.status().reservedFor().stream()
                .filter(ConsumerReference::isPodGroup)
                .map(ConsumerReference::name)
                .findFirst()
                .or(() -> pod.flatMap(one -> one.spec().podGroupName()))
                .orElse("");
    }

    private String node(List<AllocatedDevice> devices, Optional<Pod> pod) {
        return pod.map(one -> one.spec().nodeName())
                .filter(name -> !name.isEmpty())
                .or(() ->
                        devices.stream()
                                .flatMap(one ->
                                        fleet
                                                .snapshot()
                                                .inventory()
                                                .pool(one.id().poolId())
                                                .stream())
                                .flatMap(pool -> pool.onlyNode().stream())
                                .findFirst())
                .orElse("");
    }

    static List<String> classes(ResourceClaim claim) {
        return claim.spec().requests().stream().flatMap(TableRows::classes).distinct().toList();
    }

    private static Stream<String> classes(DeviceRequest request) {
        return switch (request) {
            case DeviceRequest.Exactly(_, var demand, _) -> Stream.of(demand.deviceClassName());
            case DeviceRequest.FirstAvailable(_, var all) ->
                    all.stream().map(one -> one.demand().deviceClassName());
            case DeviceRequest.Unrecognised _ -> Stream.empty();
        };
    }

    JsonObject deviceClass(DeviceClass one, ClusterUtilisation utilisation) {
        var tree =
                named(one.metadata())
                        .with(
                                "selectors",
                                texts(
                                        one.spec().selectors().stream()
                                                .map(TableRows::text)
                                                .toList()))
                        .with(
                                "extendedResource",
                                Json.of(one.spec().extendedResourceName().orElse("")));
        var counts = utilisation.of(one.metadata().name());
        if (counts.isPresent()) {
            tree =
                    tree.with("free", Json.of(counts.get().free()))
                            .beginningWith(UtilisationJson.use(counts.get().total()));
        }
        return created(tree, one.metadata()).beginningWith(named(one.metadata()));
    }

    private static String text(DeviceSelector selector) {
        return selector instanceof DeviceSelector.Cel(var expression)
                ? expression
                : "a selector of an unknown type";
    }

    JsonObject slice(ResourceSlice slice, ClusterSnapshot snapshot) {
        var pool = slice.spec().pool();
        var tree =
                named(slice.metadata())
                        .with("driver", Json.of(slice.spec().driver()))
                        .with("pool", Json.of(pool.name()))
                        .with("scope", Json.of(scope(slice.spec().scope())))
                        .with("node", Json.of(node(slice)))
                        .with("generation", Json.of(pool.generation()))
                        .with("devices", Json.of(slice.spec().devices().size()))
                        .with("slicesOfPool", Json.of(pool.resourceSliceCount()));
        var status = SlicePoolStatus.of(slice, snapshot);
        return created(
                tree.with("status", Json.of(status.status()))
                        .with("reason", Json.of(status.reason())),
                slice.metadata());
    }

    private static String scope(SliceScope scope) {
        return switch (scope) {
            case NodeScope.OneNode _ -> "node";
            case NodeScope.AllNodes _ -> "all";
            case NodeScope.MatchingNodes _ -> "selector";
            case SliceScope.PerDevice _ -> "perDevice";
            case SliceScope.Unrecognised _ -> "unknown";
        };
    }

    static String node(ResourceSlice slice) {
        return slice.spec().scope() instanceof NodeScope.OneNode(var name) ? name : "";
    }

    /// One row for each resource of a quota.
    static List<JsonObject> quota(ResourceQuota quota) {
        var rows = new ArrayList<JsonObject>();
        quota.hard()
                .forEach((resource, hard) -> {
                    var used = quota.used().get(resource);
                    var share =
                            used == null || hard.signum() == 0
                                    ? 0
                                    : used.asApproximateDouble() / hard.asApproximateDouble();
                    rows.add(
                            named(quota.metadata())
                                    .with("resource", Json.of(resource))
                                    .with("used", Json.of(used == null ? "0" : used.toString()))
                                    .with("hard", Json.of(hard.toString()))
                                    .with("percent", Json.of(Math.round(share * PERCENT))));
                });
        return rows;
    }
}
