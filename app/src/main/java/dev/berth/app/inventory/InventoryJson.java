package dev.berth.app.inventory;

import dev.berth.core.utilisation.ClusterUtilisation;
import dev.berth.core.utilisation.DeviceEntry;
import dev.berth.core.utilisation.NodeInventory;
import dev.berth.core.utilisation.UtilisationJson;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;

/// Writes inventories as JSON. The fields are described in docs/utilisation.md.
final class InventoryJson {

    private InventoryJson() {}

    static JsonObject of(List<NodeInventory> inventories, ClusterUtilisation utilisation) {
        return JsonObject.of("classes", UtilisationJson.of(utilisation))
                .with("nodes", Json.array(inventories.stream().map(InventoryJson::of).toList()));
    }

    private static JsonObject of(NodeInventory inventory) {
        return JsonObject.of("nodes", strings(inventory.nodes()))
                .with(
                        "devices",
                        Json.array(inventory.devices().stream().map(InventoryJson::of).toList()))
                .with(
                        "counterSets",
                        Json.array(inventory.units().stream().map(InventoryJson::of).toList()))
                .with(
                        "counters",
                        Json.array(inventory.counters().stream().map(InventoryJson::of).toList()))
                .with(
                        "unusablePools",
                        Json.array(inventory.unusable().stream().map(InventoryJson::of).toList()));
    }

    private static JsonObject of(DeviceEntry device) {
        return JsonObject.of("driver", Json.of(device.id().driver()))
                .with("pool", Json.of(device.id().pool()))
                .with("device", Json.of(device.id().device()))
                .with("classes", strings(device.classes()))
                .with("state", Json.of(device.state().text()))
                .with("inUse", UtilisationJson.decimal(device.inUse()))
                .with("product", Json.of(device.product()))
                .with("memory", Json.of(device.memory()))
                .with("profile", Json.of(device.profile()))
                .with("counterSet", Json.of(device.counterSet()))
                .with("pcieRoots", strings(device.locality().pcieRoots()))
                .with(
                        "numaNodes",
                        Json.array(device.locality().numaNodes().stream().map(Json::of).toList()))
                .with(
                        "holders",
                        Json.array(device.holders().stream().map(InventoryJson::of).toList()))
                .with("taints", strings(device.taints()))
                .with(
                        "capacity",
                        Json.array(device.left().stream().map(InventoryJson::of).toList()));
    }

    private static Json strings(List<String> texts) {
        return Json.array(texts.stream().map(Json::of).toList());
    }

    private static JsonObject of(DeviceEntry.Holder holder) {
        return JsonObject.of("namespace", Json.of(holder.claim().namespace()))
                .with("claim", Json.of(holder.claim().name()))
                .with("pods", strings(holder.pods()))
                .with("adminAccess", Json.of(holder.hasAdminAccess()));
    }

    private static JsonObject of(DeviceEntry.CapacityLeft left) {
        return JsonObject.of("name", Json.of(left.name()))
                .with("left", Json.of(left.left()))
                .with("total", Json.of(left.total()));
    }

    private static JsonObject of(NodeInventory.UnitShare unit) {
        return JsonObject.of("driver", Json.of(unit.pool().driver()))
                .with("pool", Json.of(unit.pool().pool()))
                .with("name", Json.of(unit.counterSet()))
                .with("inUse", UtilisationJson.decimal(unit.inUse()));
    }

    private static JsonObject of(NodeInventory.CounterLeft left) {
        return JsonObject.of("driver", Json.of(left.pool().driver()))
                .with("pool", Json.of(left.pool().pool()))
                .with("name", Json.of(left.name()))
                .with("left", Json.of(left.left()))
                .with("total", Json.of(left.total()));
    }

    private static JsonObject of(NodeInventory.UnusablePool pool) {
        return JsonObject.of("driver", Json.of(pool.pool().driver()))
                .with("pool", Json.of(pool.pool().pool()))
                .with("reason", Json.of(pool.reason()));
    }
}
