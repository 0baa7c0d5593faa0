package dev.berth.dashboard.fleet;

import dev.berth.core.inventory.PoolView;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// A row of the fleet, with what it was built from.
///
/// @param views pools with rows in it; the same views give the same shape
/// @param json the row as in an event
record FleetRow(
        int id,
        List<PoolView> views,
        List<DeviceSection> sections,
        NodeShape shape,
        JsonObject json) {

    FleetRow {
        views = List.copyOf(views);
        sections = List.copyOf(sections);
    }

    /// State and classes of a device of this row; empty when it has no such device.
    Optional<JsonObject> place(DeviceId device) {
        var position = 0;
        for (var section : sections) {
            var view = section.pool();
            for (var row : section.rows()) {
                if (view.id().equals(device.poolId())
                        && view.deviceName(row).equals(device.device())) {
                    var letter = json.text("state").substring(position, position + 1);
                    return Optional.of(
                            JsonObject.of("state", Json.of(letter))
                                    .with(
                                            "classes",
                                            JsonLists.texts(
                                                    shape.devices().get(position).classes())));
                }
                position++;
            }
        }
        return Optional.empty();
    }
}
