package dev.berth.dashboard.fleet;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;

/// The devices of a node or of a network-attached pool in a fixed order. Identical nodes have equal
/// shapes.
record NodeShape(List<DeviceShape> devices, List<UnitShape> units) {

    NodeShape {
        devices = List.copyOf(devices);
        units = List.copyOf(units);
    }

    JsonObject json(int id) {
        var numaNodes =
                devices.stream()
                        .flatMap(device -> device.numaNodes().stream())
                        .distinct()
                        .sorted()
                        .toList();
        return JsonObject.of("id", Json.of(id))
                .with("numa", JsonLists.numbers(numaNodes))
                .with("devices", Json.array(devices.stream().map(DeviceShape::json).toList()))
                .with("units", Json.array(units.stream().map(UnitShape::json).toList()));
    }
}
