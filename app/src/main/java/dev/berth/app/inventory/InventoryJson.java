package dev.berth.app.inventory;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;

/// Writes inventories as JSON.
final class InventoryJson {

    private InventoryJson() {}

    static JsonObject of(List<NodeInventory> stocks) {
        return JsonObject.of("stocks", Json.array(stocks.stream().map(InventoryJson::of).toList()));
    }

    private static JsonObject of(NodeInventory stock) {
        return JsonObject.of("of", Json.of(stock.title()))
                .with(
                        "devices",
                        Json.array(stock.devices().stream().map(InventoryJson::of).toList()))
                .with(
                        "counters",
                        Json.array(stock.counters().stream().map(InventoryJson::of).toList()))
                .with(
                        "unusablePools",
                        Json.array(stock.unusable().stream().map(InventoryJson::of).toList()));
    }

    private static JsonObject of(NodeInventory.Item item) {
        return JsonObject.of("driver", Json.of(item.id().driver()))
                .with("pool", Json.of(item.id().pool()))
                .with("device", Json.of(item.id().device()))
                .with("state", Json.of(item.state().text()))
                .with("pcieRoots", strings(item.locality().pcieRoots()))
                .with(
                        "numaNodes",
                        Json.array(item.locality().numaNodes().stream().map(Json::of).toList()))
                .with("claims", strings(item.holders()))
                .with("taints", strings(item.taints()))
                .with("capacity", Json.array(item.left().stream().map(InventoryJson::of).toList()));
    }

    private static Json strings(List<String> texts) {
        return Json.array(texts.stream().map(Json::of).toList());
    }

    private static JsonObject of(NodeInventory.CapacityLeft left) {
        return JsonObject.of("name", Json.of(left.name()))
                .with("left", Json.of(left.left()))
                .with("total", Json.of(left.total()));
    }

    private static JsonObject of(NodeInventory.CounterLeft left) {
        return JsonObject.of("driver", Json.of(left.pool().driver()))
                .with("pool", Json.of(left.pool().pool()))
                .with("name", Json.of(left.name()))
                .with("left", Json.of(left.left()))
                .with("total", Json.of(left.total()));
    }

    private static JsonObject of(NodeInventory.Unusable pool) {
        return JsonObject.of("driver", Json.of(pool.pool().driver()))
                .with("pool", Json.of(pool.pool().pool()))
                .with("reason", Json.of(pool.reason()));
    }
}
