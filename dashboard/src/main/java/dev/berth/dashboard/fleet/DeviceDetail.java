package dev.berth.dashboard.fleet;

import dev.berth.core.inventory.PoolView;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.utilisation.PartitionLayout;
import dev.berth.core.utilisation.PartitionedDevice;
import dev.berth.core.utilisation.PoolDeviceStates;
import dev.berth.core.utilisation.PoolDeviceStates.DeviceUse;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Everything about one device: attributes, capacities, counters, partitions that still fit.
final class DeviceDetail {

    private final ClusterSnapshot snapshot;
    private final PoolView pool;
    private final int row;

    private DeviceDetail(ClusterSnapshot snapshot, PoolView pool, int row) {
        this.snapshot = snapshot;
        this.pool = pool;
        this.row = row;
    }

    /// The device; empty when no slice publishes it.
    static Optional<JsonObject> of(ClusterSnapshot snapshot, DeviceId id) {
        var inventory = snapshot.inventory();
        var pool = inventory.pool(id.poolId());
        var node = pool.flatMap(one -> one.onlyNode());
        var view =
                node.isPresent()
                        ? node.flatMap(inventory::node).flatMap(one -> pool.get().viewFrom(one))
                        : pool.flatMap(one -> one.clusterView());
        return view.flatMap(one ->
                one.row(id.device())
                        .map(row -> new DeviceDetail(snapshot, one, row).json(id, node)));
    }

    private JsonObject json(DeviceId id, Optional<String> node) {
        return JsonObject.of("driver", Json.of(id.driver()))
                .with("pool", Json.of(id.pool()))
                .with("device", Json.of(id.device()))
                .with("node", Json.of(node.orElse("")))
                .with("slice", Json.of(pool.slice(row).name()))
                .with("attributes", Json.array(attributes()))
                .with("capacity", Json.array(capacities()))
                .with("counters", Json.array(counters()))
                .with("profiles", Json.array(profiles()))
                .with(
                        "taints",
                        Json.array(
                                pool.traits(row).taints().stream()
                                        .map(DeviceDetail::taint)
                                        .toList()));
    }

    private List<JsonObject> attributes() {
        var all = new ArrayList<JsonObject>();
        new TreeMap<>(pool.attributes(row))
                .forEach((name, value) ->
                        all.add(
                                JsonObject.of("name", Json.of(name))
                                        .with("type", Json.of(type(value)))
                                        .with("value", Json.of(text(value)))));
        return all;
    }

    private static String type(AttributeValue value) {
        return switch (value) {
            case AttributeValue.IntValue _ -> "int";
            case AttributeValue.BoolValue _ -> "bool";
            case AttributeValue.StringValue _ -> "string";
            case AttributeValue.VersionValue _ -> "version";
            case AttributeValue.IntList _ -> "ints";
            case AttributeValue.BoolList _ -> "bools";
            case AttributeValue.StringList _ -> "strings";
            case AttributeValue.VersionList _ -> "versions";
            case AttributeValue.Unrecognised _ -> "unknown";
        };
    }

    private static String text(AttributeValue value) {
        return switch (value) {
            case AttributeValue.IntValue(var number) -> Long.toString(number);
            case AttributeValue.BoolValue(var flag) -> Boolean.toString(flag);
            case AttributeValue.StringValue(var text) -> text;
            case AttributeValue.VersionValue(var text) -> text;
            case AttributeValue.IntList(var all) -> joined(all);
            case AttributeValue.BoolList(var all) -> joined(all);
            case AttributeValue.StringList(var all) -> joined(all);
            case AttributeValue.VersionList(var all) -> joined(all);
            case AttributeValue.Unrecognised _ -> "";
        };
    }

    private static String joined(List<?> values) {
        return String.join(", ", values.stream().map(String::valueOf).toList());
    }

    private List<JsonObject> capacities() {
        var held = snapshot.usage().ledger().poolHoldings(pool.id()).holdings();
        var consumed = held.consumed().getOrDefault(pool.device(row), Map.of());
        var all = new ArrayList<JsonObject>();
        new TreeMap<>(pool.capacities(row))
                .forEach((name, capacity) -> {
                    var left = capacity.value().minus(consumed.getOrDefault(name, Quantity.ZERO));
                    all.add(
                            JsonObject.of("name", Json.of(name))
                                    .with("total", Json.of(capacity.value().toString()))
                                    .with("left", Json.of(left.toString())));
                });
        return all;
    }

    private List<JsonObject> counters() {
        var left = snapshot.usage().countersLeft(pool);
        var consumption = pool.consumption(row);
        var all = new ArrayList<JsonObject>();
        for (var i = 0; i < consumption.counters().length; i++) {
            var counter = consumption.counters()[i];
            var counters = pool.counters();
            var set = counters.setName(counters.setOf(counter));
            all.add(
                    JsonObject.of("set", Json.of(set))
                            .with(
                                    "name",
                                    Json.of(
                                            counters.counterName(counter)
                                                    .substring(set.length() + 1)))
                            .with(
                                    "total",
                                    Json.of(
                                            counters.quantity(counter, counters.total(counter))
                                                    .toString()))
                            .with(
                                    "left",
                                    Json.of(counters.quantity(counter, left[counter]).toString()))
                            .with(
                                    "uses",
                                    Json.of(
                                            counters.quantity(
                                                            counter,
                                                            consumption.exactAmounts()[i])
                                                    .toString())));
        }
        return all;
    }

    /// The profiles of the partitioned device of this device, with the number of free placements.
    private List<JsonObject> profiles() {
        var held = snapshot.usage().ledger().poolHoldings(pool.id());
        var layout = PartitionLayout.of(pool);
        var states = PoolDeviceStates.of(pool, layout, held);
        var mine =
                layout.devices().stream()
                        .filter(one ->
                                one.whole() == row
                                        || one.parts().stream().anyMatch(part -> part.row() == row))
                        .findFirst();
        var byProfile = new TreeMap<String, List<PartitionedDevice.Part>>();
        mine.stream()
                .flatMap(one -> one.parts().stream())
                .forEach(part ->
                        byProfile.computeIfAbsent(part.profile(), _ -> new ArrayList<>())
                                .add(part));
        var all = new ArrayList<JsonObject>();
        byProfile.forEach((profile, parts) -> {
            var free =
                    parts.stream().filter(part -> states.use(part.row()) == DeviceUse.FREE).count();
            var tree =
                    JsonObject.of("profile", Json.of(profile)).with("available", Json.of(free));
            var lacking =
                    parts.stream()
                            .filter(part -> states.use(part.row()) == DeviceUse.BLOCKED)
                            .flatMap(part ->
                                    PoolDeviceStates.shortCounter(pool, part.row(), held).stream())
                            .findFirst();
            all.add(
                    free == 0 && lacking.isPresent()
                            ? tree.with("shortOf", Json.of(lacking.get()))
                            : tree);
        });
        return all;
    }

    private static JsonObject taint(DeviceTaint taint) {
        var tree =
                JsonObject.of("key", Json.of(taint.key()))
                        .with("value", Json.of(taint.value()))
                        .with("effect", Json.of(taint.effect().text()));
        var since = taint.timeAdded();
        return since.isPresent() ? tree.with("since", Json.of(since.get())) : tree;
    }
}
