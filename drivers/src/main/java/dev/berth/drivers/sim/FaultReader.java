package dev.berth.drivers.sim;

import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.TaintEffect;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Reads faults from YAML:
///
/// ```yaml
/// faults:
/// - {device: gpu.nvidia.com/h100x8-0/gpu-0, is: unhealthy, message: XID 79}
/// - {device: gpu.nvidia.com/h100x8-0/gpu-1, is: slow, seconds: 20}
/// - {node: h100x8-1, is: silent}
/// ```
public final class FaultReader {

    private static final Set<String> FIELDS =
            Set.of("device", "node", "is", "message", "seconds", "taint");
    private static final int PARTS = 3;
    private static final long MAX_SECONDS = 86_400;

    private FaultReader() {}

    /// Reads a fault set.
    ///
    /// @throws InvalidFaultsException with the reason
    public static FaultSet read(String text) {
        return switch (YamlReader.read(text)) {
            case ParseResult.Malformed(var message, var line, var column) ->
                    throw new InvalidFaultsException("%d:%d: %s".formatted(line, column, message));
            case ParseResult.Documents(var documents) -> {
                var faults = new ArrayList<Fault>();
                for (var document : documents) {
                    if (!(document.root() instanceof JsonObject object)) {
                        throw new InvalidFaultsException(
                                "expected an object with the list \"faults\"");
                    }
                    object.objects("faults").forEach(one -> faults.add(fault(one)));
                }
                yield new FaultSet(faults);
            }
        };
    }

    private static Fault fault(JsonObject one) {
        for (var name : one.names()) {
            if (!FIELDS.contains(name)) {
                throw new InvalidFaultsException("unknown field \"%s\" in a fault".formatted(name));
            }
        }
        return switch (one.text("is")) {
            case "silent" -> new Fault.SilentNode(node(one));
            case "gone" -> new Fault.Gone(device(one));
            case "unattachable" -> new Fault.Unattachable(device(one));
            case "slow" -> new Fault.SlowPrepare(device(one), delay(one));
            case "failing" -> new Fault.FailingPrepare(device(one), message(one));
            case "unhealthy" -> unhealthy(one);
            case String other ->
                    throw new InvalidFaultsException(
                            "is: \"%s\"; expected unhealthy, gone, slow, failing, unattachable or"
                                            .formatted(other)
                                    + " silent");
        };
    }

    private static String node(JsonObject one) {
        return one.string("node")
                .orElseThrow(() -> new InvalidFaultsException("a silent fault requires \"node\""));
    }

    private static DeviceId device(JsonObject one) {
        var parts = one.text("device").split("/", -1);
        if (parts.length != PARTS) {
            throw new InvalidFaultsException(
                    "device: \"%s\"; expected DRIVER/POOL/DEVICE".formatted(one.text("device")));
        }
        return new DeviceId(parts[0], parts[1], parts[2]);
    }

    private static Duration delay(JsonObject one) {
        var seconds = one.number("seconds").orElse(-1);
        if (seconds < 0 || seconds > MAX_SECONDS) {
            throw new InvalidFaultsException(
                    "a slow fault requires \"seconds\" from 0 to " + MAX_SECONDS);
        }
        return Duration.ofSeconds(seconds);
    }

    private static String message(JsonObject one) {
        return one.string("message").orElse("simulated failure");
    }

    private static Fault unhealthy(JsonObject one) {
        var device = device(one);
        var taint = one.objectOrEmpty("taint");
        var effect = taint.string("effect").orElse("NoSchedule");
        return new Fault.Unhealthy(
                device,
                List.of(
                        new DeviceTaint(
                                taint.string("key").orElse(device.driver() + "/unhealthy"),
                                taint.string("value").orElse("true"),
                                effect(effect),
                                Optional.empty())),
                message(one));
    }

    private static TaintEffect effect(String text) {
        if (TaintEffect.of(text) instanceof TaintEffect.Known known) {
            return known;
        }
        throw new InvalidFaultsException(
                "effect: \"%s\"; expected NoSchedule, NoExecute or None".formatted(text));
    }
}
