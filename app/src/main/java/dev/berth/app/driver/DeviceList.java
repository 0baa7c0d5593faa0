package dev.berth.app.driver;

import dev.berth.app.print.TextTable;
import dev.berth.core.publish.DesiredPool;
import dev.berth.core.publish.SliceCommand;
import dev.berth.core.publish.SliceReconciler;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Lists the devices of a driver as text or JSON.
final class DeviceList {

    private DeviceList() {}

    static String text(DesiredPool pool) {
        return table(pool.devices());
    }

    /// The slices that the driver would publish.
    static JsonObject tree(DesiredPool pool) {
        var codec = new Codec();
        var slices = new ArrayList<Json>();
        for (var command : new SliceReconciler(List.of()).commands(List.of(pool), List.of())) {
            if (command instanceof SliceCommand.Create(var slice)) {
                slices.add(codec.toTree(Kinds.RESOURCE_SLICE, slice));
            }
        }
        return JsonObject.of("apiVersion", Json.of("v1"))
                .with("kind", Json.of("List"))
                .with("items", Json.array(slices));
    }

    private static String table(List<Device> devices) {
        if (devices.isEmpty()) {
            return "No devices.%n".formatted();
        }
        var table = new TextTable("DEVICE", "SHARED", "CAPACITY", "ATTRIBUTES");
        for (var device : devices) {
            var capacity = new ArrayList<String>();
            device.capacity().forEach((name, one) -> capacity.add(name + "=" + one.value()));
            var attributes = new ArrayList<String>();
            new TreeMap<>(device.attributes())
                    .forEach((name, value) -> attributes.add(plain(name) + "=" + words(value)));
            table.add(
                    device.name(),
                    device.isShareable() ? "yes" : "no",
                    capacity.isEmpty() ? "-" : String.join(" ", capacity),
                    String.join(" ", attributes));
        }
        return table.toString();
    }

    private static String plain(String name) {
        return name.substring(name.indexOf('/') + 1);
    }

    private static String words(AttributeValue value) {
        return switch (value) {
            case AttributeValue.IntValue(var number) -> Long.toString(number);
            case AttributeValue.BoolValue(var flag) -> Boolean.toString(flag);
            case AttributeValue.StringValue(var text) -> text;
            case AttributeValue.VersionValue(var text) -> text;
            case AttributeValue.IntList(var all) -> all.toString();
            case AttributeValue.BoolList(var all) -> all.toString();
            case AttributeValue.StringList(var all) -> all.toString();
            case AttributeValue.VersionList(var all) -> all.toString();
            case AttributeValue.Unrecognised(var raw) -> raw.toString();
        };
    }
}
