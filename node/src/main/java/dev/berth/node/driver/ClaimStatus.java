package dev.berth.node.driver;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.codec.Kinds;
import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.driver.PrepareResult.PreparedDevice;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Writes `status.devices` of ResourceClaims.
final class ClaimStatus {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);

    /// Updates are retried this many times after conflicts: other components write the status, too.
    private static final int MAX_ATTEMPTS = 5;

    private final Cluster cluster;
    private final Clock clock;

    ClaimStatus(Cluster cluster, Clock clock) {
        this.cluster = cluster;
        this.clock = clock;
    }

    /// Writes the device status. Returns the error, if it failed.
    Optional<String> write(ClaimRef claim, List<PreparedDevice> prepared) {
        var reported = prepared.stream().filter(one -> one.report().isPresent()).toList();
        if (reported.isEmpty()) {
            return Optional.empty();
        }
        RequestResult last = new RequestResult.Conflict("");
        for (var i = 0; i < MAX_ATTEMPTS && last instanceof RequestResult.Conflict; i++) {
            last = attempt(claim, reported);
        }
        return last.isDone() ? Optional.empty() : Optional.of(last.message());
    }

    private RequestResult attempt(ClaimRef ref, List<PreparedDevice> reported) {
        var read = cluster.send(new Request.Get(CLAIMS, ref.namespace(), ref.name()));
        if (!(read instanceof RequestResult.Done(var claim))) {
            return read;
        }
        if (!claim.objectOrEmpty("metadata").text("uid").equals(ref.uid().value())) {
            return new RequestResult.Missing("the claim was replaced");
        }
        var status = claim.objectOrEmpty("status");
        var devices = new ArrayList<>(status.objects("devices"));
        for (var one : reported) {
            var entry = entry(one);
            devices.removeIf(old -> key(old).equals(key(entry)));
            devices.add(entry);
        }
        if (devices.equals(status.objects("devices"))) {
            return read;
        }
        var changed = claim.with("status", status.with("devices", Json.array(devices)));
        return cluster.send(
                new Request.Update(CLAIMS, ref.namespace(), ref.name(), "status", changed));
    }

    private record Key(DeviceId id, String share) {}

    private static Key key(JsonObject entry) {
        return new Key(
                new DeviceId(entry.text("driver"), entry.text("pool"), entry.text("device")),
                entry.text("shareID"));
    }

    private JsonObject entry(PreparedDevice prepared) {
        var report = prepared.report().orElseThrow();
        var id = prepared.device().id();
        var entry =
                JsonObject.of("driver", Json.of(id.driver()))
                        .with("pool", Json.of(id.pool()))
                        .with("device", Json.of(id.device()));
        if (prepared.device().share().isPresent()) {
            entry = entry.with("shareID", Json.of(prepared.device().share().get()));
        }
        if (!report.conditions().isEmpty()) {
            entry =
                    entry.with(
                            "conditions",
                            Json.array(report.conditions().stream().map(this::tree).toList()));
        }
        if (report.data().isPresent()) {
            entry = entry.with("data", report.data().get());
        }
        if (report.network().isPresent()) {
            var network = report.network().get();
            entry =
                    entry.with(
                            "networkData",
                            JsonObject.of("interfaceName", Json.of(network.interfaceName()))
                                    .with(
                                            "ips",
                                            Json.array(
                                                    network.ips().stream().map(Json::of).toList()))
                                    .with("hardwareAddress", Json.of(network.hardwareAddress())));
        }
        return entry;
    }

    private JsonObject tree(Condition condition) {
        return ConditionTrees.of(
                condition.lastTransitionTime().isPresent()
                        ? condition
                        : new Condition(
                                condition.type(),
                                condition.status(),
                                condition.observedGeneration(),
                                Optional.of(clock.instant()),
                                condition.reason(),
                                condition.message()));
    }
}
