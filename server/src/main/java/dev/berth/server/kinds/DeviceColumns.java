package dev.berth.server.kinds;

import static dev.berth.server.kinds.Columns.at;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.TableColumn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// The tables of the kinds of dynamic resource allocation.
final class DeviceColumns {

    private DeviceColumns() {}

    static List<TableColumn> claims() {
        return Columns.named()
                .text("State", "Whether it has devices, and users", DeviceColumns::state)
                .age()
                .list();
    }

    private static String state(JsonObject claim) {
        var words = new ArrayList<String>();
        var status = claim.objectOrEmpty("status");
        var deleted = claim.objectOrEmpty("metadata").has("deletionTimestamp");
        if (deleted) {
            words.add("deleted");
        }
        if (status.has("allocation")) {
            words.add("allocated");
            if (!status.items("reservedFor").isEmpty()) {
                words.add("reserved");
            }
        } else if (!deleted) {
            words.add("pending");
        }
        return String.join(",", words);
    }

    static List<TableColumn> slices() {
        return Columns.named()
                .text("Node", "Where the devices are", o -> at(o, "spec", "nodeName"))
                .text("Driver", "Whose devices they are", o -> at(o, "spec", "driver"))
                .text("Pool", "Which pool they belong to", o -> at(o, "spec", "pool", "name"))
                .age()
                .list();
    }

    static List<TableColumn> taintRules() {
        return Columns.named()
                .text("Key", "Of the taint", o -> at(o, "spec", "taint", "key"))
                .text("Value", "Of the taint", o -> at(o, "spec", "taint", "value"))
                .text("Effect", "What the taint does", o -> at(o, "spec", "taint", "effect"))
                .timed("TimeAdded", "Since when", Columns.age("spec", "taint", "timeAdded"))
                .age()
                .list();
    }

    static List<TableColumn> poolStatusRequests() {
        return Columns.named()
                .text("Driver", "Whose pools are asked for", o -> at(o, "spec", "driver"))
                .text("Total", "Devices in the pools", o -> sum(o, "totalDevices"))
                .text("Available", "Devices that are free", o -> sum(o, "availableDevices"))
                .text("Allocated", "Devices in use", o -> sum(o, "allocatedDevices"))
                .text("Unavailable", "Devices that are tainted", o -> sum(o, "unavailableDevices"))
                .text("Errors", "Pools that are not in order", DeviceColumns::errors)
                .number(
                        "Pools",
                        "How many there are",
                        o -> Columns.numberAt(o, "status", "poolCount"))
                .text("Status", "How far the answer is", DeviceColumns::progress)
                .timed("Completed", "When it was answered", DeviceColumns::completed)
                .list();
    }

    private static boolean isAnswered(JsonObject request) {
        return request.has("status") && condition(request, "Failed").isEmpty();
    }

    private static List<JsonObject> condition(JsonObject request, String type) {
        return request.objectOrEmpty("status").objects("conditions").stream()
                .filter(c -> c.text("type").equals(type) && c.text("status").equals("True"))
                .toList();
    }

    private static String sum(JsonObject request, String name) {
        return isAnswered(request)
                ? Long.toString(
                        request.objectOrEmpty("status").objects("pools").stream()
                                .mapToLong(pool -> pool.number(name).orElse(0))
                                .sum())
                : "-";
    }

    private static String errors(JsonObject request) {
        return isAnswered(request)
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
