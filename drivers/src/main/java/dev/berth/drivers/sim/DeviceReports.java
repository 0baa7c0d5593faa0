package dev.berth.drivers.sim;

import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Computes the `status.devices` that drivers write into a claim: binding conditions of attached
/// devices.
///
/// @param isOwn whether a device belongs to this fleet
/// @param isUnattachable whether the attachment of a device fails
record DeviceReports(
        Predicate<DeviceId> isOwn, Predicate<DeviceId> isUnattachable, Duration attachDelay) {

    /// The next action for a claim.
    sealed interface Next {

        record Nothing() implements Next {}

        record Wait(Instant until) implements Next {}

        /// New `status.devices`.
        record Report(Json devices) implements Next {}
    }

    Next next(JsonObject claim, Instant now) {
        var status = claim.objectOrEmpty("status");
        var allocation = status.objectOrEmpty("allocation");
        var devices = new ArrayList<>(status.objects("devices"));
        var hasChanged = false;
        var isWaiting = false;
        var attached = allocatedAt(allocation).map(at -> at.plus(attachDelay)).orElse(now);
        for (var result : allocation.objectOrEmpty("devices").objects("results")) {
            if (!isOwn.test(id(result))) {
                continue;
            }
            var missing = missing(result, devices);
            if (missing.isEmpty()) {
                continue;
            }
            if (attached.isAfter(now)) {
                isWaiting = true;
            } else {
                add(devices, result, missing, now);
                hasChanged = true;
            }
        }
        if (hasChanged) {
            return new Next.Report(Json.array(devices));
        }
        return isWaiting ? new Next.Wait(attached) : new Next.Nothing();
    }

    /// The conditions that a device lacks.
    private List<String> missing(JsonObject result, List<JsonObject> devices) {
        var expected = new ArrayList<String>();
        var failures = result.strings("bindingFailureConditions");
        if (isUnattachable.test(id(result)) && !failures.isEmpty()) {
            expected.add(failures.getFirst());
        } else {
            expected.addAll(result.strings("bindingConditions"));
        }
        devices.stream()
                .filter(device -> isSame(device, result))
                .flatMap(device -> device.objects("conditions").stream())
                .filter(condition -> condition.text("status").equals("True"))
                .forEach(condition -> expected.remove(condition.text("type")));
        return expected;
    }

    private static void add(
            List<JsonObject> devices, JsonObject result, List<String> types, Instant now) {
        var at = 0;
        while (at < devices.size() && !isSame(devices.get(at), result)) {
            at++;
        }
        if (at == devices.size()) {
            var added =
                    JsonObject.of("driver", Json.of(result.text("driver")))
                            .with("pool", Json.of(result.text("pool")))
                            .with("device", Json.of(result.text("device")));
            devices.add(
                    result.string("shareID")
                            .map(share -> added.with("shareID", Json.of(share)))
                            .orElse(added));
        }
        var conditions = new ArrayList<>(devices.get(at).objects("conditions"));
        conditions.removeIf(condition -> types.contains(condition.text("type")));
        for (var type : types) {
            conditions.add(ConditionTrees.of(type, true, "Simulated", "simulated", now));
        }
        devices.set(at, devices.get(at).with("conditions", Json.array(conditions)));
    }

    private static boolean isSame(JsonObject device, JsonObject result) {
        return id(device).equals(id(result))
                && device.text("shareID").equals(result.text("shareID"));
    }

    static DeviceId id(JsonObject result) {
        return new DeviceId(result.text("driver"), result.text("pool"), result.text("device"));
    }

    private static Optional<Instant> allocatedAt(JsonObject allocation) {
        try {
            return allocation.string("allocationTimestamp").map(Instant::parse);
        } catch (DateTimeParseException _) {
            return Optional.empty();
        }
    }
}
