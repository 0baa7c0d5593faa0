package dev.berth.dashboard.fleet;

import dev.berth.core.inventory.PoolView;
import dev.berth.model.json.JsonObject;
import java.util.List;

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
}
