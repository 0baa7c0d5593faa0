package dev.berth.drivers.sim;

import dev.berth.model.api.DeviceId;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// What drivers write into the status of a claim: that a device has been attached to its node, and,
/// if they like, that it is ready.
///
/// @param isOurs which devices are of this fleet
/// @param isUnattachable which of them fail
record DeviceReports(
        Predicate<DeviceId> isOurs,
        Predicate<DeviceId> isUnattachable,
        Duration attachDelay,
        boolean reportsReady) {

    /// What is to be done for a claim.
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
            if (!isOurs.test(id(result))) {
                continue;
            }
            var missing = missing(result, status, devices);
            var waits = missing.removeIf(type -> !type.equals("Ready") && attached.isAfter(now));
            isWaiting |= waits;
            if (!missing.isEmpty()) {
                add(devices, result, missing, now);
                hasChanged = true;
            }
        }
        if (hasChanged) {
            return new Next.Report(Json.array(devices));
        }
        return isWaiting ? new Next.Wait(attached) : new Next.Nothing();
    }

    /// The conditions that a device should have and has not.
    private List<String> missing(JsonObject result, JsonObject status, List<JsonObject> devices) {
        var wanted = new ArrayList<String>();
        var failures = result.strings("bindingFailureConditions");
        if (isUnattachable.test(id(result)) && !failures.isEmpty()) {
            wanted.add(failures.getFirst());
        } else {
            wanted.addAll(result.strings("bindingConditions"));
        }
        if (reportsReady && !status.items("reservedFor").isEmpty()) {
            wanted.add("Ready");
        }
        devices.stream()
                .filter(device -> isSame(device, result))
                .flatMap(device -> device.objects("conditions").stream())
                .filter(condition -> condition.text("status").equals("True"))
                .forEach(condition -> wanted.remove(condition.text("type")));
        return wanted;
    }

    private static void add(
            List<JsonObject> devices, JsonObject result, List<String> types, Instant now) {
        var at = 0;
        while (at < devices.size() && !isSame(devices.get(at), result)) {
            at++;
        }
        if (at == devices.size()) {
            var fresh =
                    JsonObject.of("driver", Json.of(result.text("driver")))
                            .with("pool", Json.of(result.text("pool")))
                            .with("device", Json.of(result.text("device")));
            devices.add(
                    result.string("shareID")
                            .map(share -> fresh.with("shareID", Json.of(share)))
                            .orElse(fresh));
        }
        var conditions = new ArrayList<>(devices.get(at).objects("conditions"));
        conditions.removeIf(condition -> types.contains(condition.text("type")));
        for (var type : types) {
            conditions.add(
                    SimulatedObjectFields.condition(type, true, "Simulated", "simulated", now));
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
