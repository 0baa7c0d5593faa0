package dev.berth.node.driver;

import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// The persistent state of a claim on this node.
///
/// @param boot boot ID at the time of preparation; a reboot invalidates what was prepared
record ClaimRecord(ClaimRef claim, State state, String boot, List<RecordedDevice> devices) {

    /// Progress of the preparation.
    enum State {
        /// The driver was called and may not have finished.
        PREPARING,
        PREPARED
    }

    /// A device of the claim.
    ///
    /// @param request without a subrequest
    /// @param cdiIds empty while the claim is being prepared
    record RecordedDevice(
            String request, DeviceId id, Optional<String> share, List<String> cdiIds) {
        RecordedDevice {
            cdiIds = List.copyOf(cdiIds);
        }
    }

    ClaimRecord {
        devices = List.copyOf(devices);
    }

    PreparedClaim toPrepared() {
        return new PreparedClaim(claim, devices.stream().map(RecordedDevice::id).toList());
    }

    JsonObject tree() {
        return JsonObject.of("version", Json.of(1))
                .with("namespace", Json.of(claim.namespace()))
                .with("name", Json.of(claim.name()))
                .with("uid", Json.of(claim.uid().value()))
                .with("state", Json.of(state.name()))
                .with("boot", Json.of(boot))
                .with("devices", Json.array(devices.stream().map(ClaimRecord::tree).toList()));
    }

    private static JsonObject tree(RecordedDevice device) {
        var tree =
                JsonObject.of("request", Json.of(device.request))
                        .with("driver", Json.of(device.id.driver()))
                        .with("pool", Json.of(device.id.pool()))
                        .with("device", Json.of(device.id.device()))
                        .with("cdi", Json.array(device.cdiIds.stream().map(Json::of).toList()));
        return device.share.map(share -> tree.with("share", Json.of(share))).orElse(tree);
    }

    /// Decodes a record; empty for any other JSON.
    static Optional<ClaimRecord> read(JsonObject tree) {
        var state =
                switch (tree.text("state")) {
                    case "PREPARING" -> Optional.of(State.PREPARING);
                    case "PREPARED" -> Optional.of(State.PREPARED);
                    default -> Optional.<State>empty();
                };
        var claim =
                new ClaimRef(tree.text("namespace"), tree.text("name"), new Uid(tree.text("uid")));
        return tree.number("version").orElse(0) == 1 && !claim.uid().equals(Uid.NONE)
                ? state.map(one ->
                        new ClaimRecord(
                                claim,
                                one,
                                tree.text("boot"),
                                tree.objects("devices").stream().map(ClaimRecord::device).toList()))
                : Optional.empty();
    }

    private static RecordedDevice device(JsonObject tree) {
        return new RecordedDevice(
                tree.text("request"),
                new DeviceId(tree.text("driver"), tree.text("pool"), tree.text("device")),
                tree.string("share"),
                tree.strings("cdi"));
    }
}
