package dev.berth.drivers.sim;

import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.driver.AssignedDevice;
import java.util.List;
import java.util.TreeMap;

/// The JSON file that describes an allocated device to its containers.
final class SimulatedDeviceFile {

    private SimulatedDeviceFile() {}

    static JsonObject of(AssignedDevice<JsonObject> assigned, Device device) {
        var attributes = new TreeMap<String, Json>();
        device.attributes().forEach((name, value) -> attributes.put(name, plain(value)));
        var capacity = new TreeMap<String, Json>();
        device.capacity()
                .forEach((name, amount) -> capacity.put(name, Json.of(amount.value().toString())));
        var consumed = new TreeMap<String, Json>();
        assigned.consumedCapacity()
                .forEach((name, amount) -> consumed.put(name, Json.of(amount.toString())));
        var file =
                JsonObject.of("driver", Json.of(assigned.id().driver()))
                        .with("pool", Json.of(assigned.id().pool()))
                        .with("device", Json.of(assigned.name()))
                        .with("request", Json.of(assigned.request()))
                        .with("attributes", new JsonObject(attributes))
                        .with("capacity", new JsonObject(capacity))
                        .with("consumedCapacity", new JsonObject(consumed))
                        .with("parameters", assigned.parameters());
        return assigned.share().map(share -> file.with("shareID", Json.of(share))).orElse(file);
    }

    private static Json plain(AttributeValue value) {
        return switch (value) {
            case AttributeValue.IntValue(var number) -> Json.of(number);
            case AttributeValue.BoolValue(var flag) -> Json.of(flag);
            case AttributeValue.StringValue(var text) -> Json.of(text);
            case AttributeValue.VersionValue(var text) -> Json.of(text);
            case AttributeValue.IntList(var numbers) ->
                    Json.array(numbers.stream().map(number -> Json.of(number)).toList());
            case AttributeValue.BoolList(var flags) ->
                    Json.array(flags.stream().map(flag -> Json.of(flag)).toList());
            case AttributeValue.StringList(var texts) -> array(texts);
            case AttributeValue.VersionList(var texts) -> array(texts);
            case AttributeValue.Unrecognised(var raw) -> raw;
        };
    }

    private static Json array(List<String> texts) {
        return Json.array(texts.stream().map(Json::of).toList());
    }
}
