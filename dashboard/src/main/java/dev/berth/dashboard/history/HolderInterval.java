package dev.berth.dashboard.history;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;

/// A time in which a claim held a device.
///
/// @param from seconds since 1970
/// @param to seconds since 1970; [#OPEN] while the claim holds the device
record HolderInterval(
        DeviceId device, ObjectRef claim, List<String> pods, String gang, long from, long to) {

    static final long OPEN = Long.MAX_VALUE;

    HolderInterval {
        pods = List.copyOf(pods);
    }

    boolean isOpen() {
        return to == OPEN;
    }

    HolderInterval until(long end) {
        return new HolderInterval(device, claim, pods, gang, from, Math.max(from, end));
    }

    /// Identifies an interval.
    record Hold(DeviceId device, ObjectRef claim, long from) {}

    Hold hold() {
        return new Hold(device, claim, from);
    }

    /// A line of the file.
    JsonObject json() {
        return JsonObject.of("driver", Json.of(device.driver()))
                .with("pool", Json.of(device.pool()))
                .with("device", Json.of(device.device()))
                .with("ns", Json.of(claim.namespace()))
                .with("claim", Json.of(claim.name()))
                .with("pods", Json.array(pods.stream().map(Json::of).toList()))
                .with("gang", Json.of(gang))
                .with("from", Json.of(from))
                .with("to", Json.of(to));
    }

    static HolderInterval parse(JsonObject line) {
        return new HolderInterval(
                new DeviceId(line.text("driver"), line.text("pool"), line.text("device")),
                new ObjectRef(line.text("ns"), line.text("claim")),
                line.strings("pods"),
                line.text("gang"),
                line.number("from").orElse(0),
                line.number("to").orElse(0));
    }
}
