package dev.berth.server.kinds.column;

import static dev.berth.server.kinds.column.Columns.at;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.TableColumn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Table columns of the resource.k8s.io kinds.
public final class DeviceColumns {

    private DeviceColumns() {}

    public static List<TableColumn> claims() {
        return Columns.named()
                .text("State", "Whether it is allocated and reserved", DeviceColumns::state)
                .age()
                .list();
    }

    private static String state(JsonObject claim) {
        var states = new ArrayList<String>();
        var status = claim.objectOrEmpty("status");
        var deleted = claim.objectOrEmpty("metadata").has("deletionTimestamp");
        if (deleted) {
            states.add("deleted");
        }
        if (status.has("allocation")) {
            states.add("allocated");
            if (!status.items("reservedFor").isEmpty()) {
                states.add("reserved");
            }
        } else if (!deleted) {
            states.add("pending");
        }
        return String.join(",", states);
    }

    public static List<TableColumn> slices() {
        return Columns.named()
                .text("Node", "Node of the devices", o -> at(o, "spec", "nodeName"))
                .text("Driver", "Driver of the devices", o -> at(o, "spec", "driver"))
                .text("Pool", "Pool of the devices", o -> at(o, "spec", "pool", "name"))
                .age()
                .list();
    }

    public static List<TableColumn> taintRules() {
        return Columns.named()
                .text("Key", "Key of the taint", o -> at(o, "spec", "taint", "key"))
                .text("Value", "Value of the taint", o -> at(o, "spec", "taint", "value"))
                .text("Effect", "Effect of the taint", o -> at(o, "spec", "taint", "effect"))
                .timed(
                        "TimeAdded",
                        "Time since the taint was added",
                        Columns.age("spec", "taint", "timeAdded"))
                .age()
                .list();
    }

    public static List<TableColumn> poolStatusRequests() {
        return Columns.named()
                .text("Driver", "Driver of the pools", o -> at(o, "spec", "driver"))
                .text("Total", "Devices in the pools", o -> sum(o, "totalDevices"))
                .text("Available", "Devices that are free", o -> sum(o, "availableDevices"))
                .text("Allocated", "Devices in use", o -> sum(o, "allocatedDevices"))
                .text("Unavailable", "Devices that are tainted", o -> sum(o, "unavailableDevices"))
                .text("Errors", "Pools that are not in order", DeviceColumns::errors)
                .number("Pools", "Number of pools", o -> Columns.numberAt(o, "status", "poolCount"))
                .text("Status", "Progress of the request", DeviceColumns::progress)
                .timed("Completed", "Time since completion", DeviceColumns::completed)
                .list();
    }

    private static boolean isComplete(JsonObject request) {
        return request.has("status") && condition(request, "Failed").isEmpty();
    }

    private static List<JsonObject> condition(JsonObject request, String type) {
        return request.objectOrEmpty("status").objects("conditions").stream()
                .filter(c -> c.text("type").equals(type) && c.text("status").equals("True"))
                .toList();
    }

    private static String sum(JsonObject request, String name) {
        return isComplete(request)
                ? Long.toString(
                        request.objectOrEmpty("status").objects("pools").stream()
                                .mapToLong(pool -> pool.number(name).orElse(0))
                                .sum())
                : "-";
    }

    private static String errors(JsonObject request) {
        return isComplete(request)
                ? Long.toString(
                        request.objectOrEmpty("status").objects("pools").stream()
                                .filter(pool -> !pool.text("validationError").isEmpty())
                                .count())
                : "-";
    }

    private static String progress(JsonObject request) {
        if (!condition(request, "Failed").isEmpty()) {
            return "Failed";
        }
        if (condition(request, "Complete").isEmpty()) {
            return "Pending";
        }
        var shown = request.objectOrEmpty("status").items("pools").size();
        var all = Columns.numberAt(request, "status", "poolCount");
        return all > shown ? "Complete (%d/%d pools)".formatted(shown, all) : "Complete";
    }

    private static Json completed(JsonObject request, Instant now) {
        var complete = condition(request, "Complete");
        return Json.of(
                complete.isEmpty()
                        ? Columns.NONE
                        : HumanDuration.since(complete.getFirst().text("lastTransitionTime"), now));
    }
}
