package dev.berth.dashboard.fleet;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Rows with the holders of an earlier time. Other states are not kept, so that a device is either
/// in use or free.
final class PastFleet {

    private final Map<DeviceId, List<FleetModel.PastHold>> byDevice = new HashMap<>();
    private final Map<ObjectRef, JsonObject> holders = new LinkedHashMap<>();

    PastFleet(List<FleetModel.PastHold> held) {
        for (var one : held) {
            byDevice.computeIfAbsent(one.device(), _ -> new ArrayList<>()).add(one);
        }
    }

    FleetRow row(FleetRow row) {
        var letters = new StringBuilder();
        var holds = new ArrayList<Json>();
        row.forEachDevice((device, _) -> {
            var mine = byDevice.getOrDefault(device, List.of());
            for (var one : mine) {
                holds.add(Json.of(letters.length()));
                holds.add(Json.of(1));
                holds.add(Json.of(holder(one)));
            }
            letters.append(mine.isEmpty() ? '.' : '#');
        });
        var now = row.json();
        var json = JsonObject.EMPTY;
        for (var name : List.of("id", "name", "driver", "shape", "groups", "all", "reach")) {
            var value = now.member(name);
            json = value.isPresent() ? json.with(name, value.get()) : json;
        }
        json = json.with("state", Json.of(letters.toString())).with("holds", Json.array(holds));
        return new FleetRow(row.id(), row.views(), row.sections(), row.shape(), json);
    }

    private long holder(FleetModel.PastHold one) {
        return holders.computeIfAbsent(
                        one.claim(),
                        claim ->
                                JsonObject.of("id", Json.of(holders.size()))
                                        .with("namespace", Json.of(claim.namespace()))
                                        .with("claim", Json.of(claim.name()))
                                        .with("pods", JsonLists.texts(one.pods()))
                                        .with("gang", Json.of(one.gang())))
                .number("id")
                .orElse(0);
    }

    List<JsonObject> holders() {
        return List.copyOf(holders.values());
    }
}
