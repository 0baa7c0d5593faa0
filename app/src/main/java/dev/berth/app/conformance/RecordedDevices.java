package dev.berth.app.conformance;

import dev.berth.model.api.slice.Device;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;

/// Decodes devices of recorded cases, which have the fields of a device in a slice.
final class RecordedDevices {

    private static final Codec CODEC = new Codec();

    private RecordedDevices() {}

    /// Decodes one device, in a slice with this device only.
    static Device device(JsonObject fields) {
        var slice =
                JsonObject.of("apiVersion", Json.of(Kinds.RESOURCE_SLICE.apiVersion()))
                        .with("kind", Json.of(Kinds.RESOURCE_SLICE.name()))
                        .with(
                                "spec",
                                JsonObject.of(
                                        "devices",
                                        Json.array(fields.with("name", Json.of("device")))));
        return CODEC.readTree(Kinds.RESOURCE_SLICE, slice, UnknownFieldPolicy.LENIENT)
                .orThrow()
                .spec()
                .devices()
                .getFirst();
    }
}
