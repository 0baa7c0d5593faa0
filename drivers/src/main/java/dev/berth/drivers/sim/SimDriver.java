package dev.berth.drivers.sim;

import dev.berth.core.publish.DesiredPool;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.file.AtomicFile;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.node.cdi.ContainerEdits;
import dev.berth.node.cdi.ContainerEdits.Mount;
import dev.berth.node.driver.AssignedDevice;
import dev.berth.node.driver.ClaimAssignment;
import dev.berth.node.driver.Driver;
import dev.berth.node.driver.Parameters;
import dev.berth.node.driver.PrepareResult;
import dev.berth.node.driver.PreparedClaim;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Driver of simulated devices: containers get environment variables that name them, and a JSON
/// file that describes each.
///
/// - `BERTH_DEVICE_REQUEST=name,name` for each request, and the variables that programs of the
///   vendor read;
/// - `/run/berth/devices/REQUEST/NAME.json`.
final class SimDriver implements Driver<JsonObject> {

    /// Mount path of the files in containers.
    private static final String FOLDER = "/run/berth/devices";

    private static final String READABLE = "rw-r--r--";

    /// Environment variables of vendors with the attribute that they list, by driver.
    private static final Map<String, Map<String, String>> VARIABLES =
            Map.of(
                    "gpu.nvidia.com", Map.of("NVIDIA_VISIBLE_DEVICES", "uuid"),
                    "tpu.google.com", Map.of("TPU_VISIBLE_CHIPS", "index"));

    private final Path files;
    private final Map<DeviceId, Device> devices = new HashMap<>();
    private final Supplier<FaultSet> faults;

    /// @param pools of one driver
    /// @param data directory for the files
    SimDriver(List<DesiredPool> pools, Path data, Supplier<FaultSet> faults) {
        this.files = data.resolve("devices");
        this.faults = faults;
        for (var pool : pools) {
            pool.devices().forEach(one -> devices.put(FaultSet.id(pool, one), one));
        }
    }

    @Override
    public Parameters<JsonObject> parameters() {
        return Parameters.unchecked();
    }

    @Override
    public PrepareResult prepare(ClaimAssignment<JsonObject> claim)
            throws IOException, InterruptedException {
        for (var device : claim.devices()) {
            injectFaults(device.id());
        }
        var folder = folder(claim.claim().uid());
        Files.createDirectories(folder);
        var edits = new HashMap<AssignedDevice<JsonObject>, ContainerEdits>();
        for (var device : claim.devices()) {
            var file = folder.resolve(fileName(device));
            AtomicFile.write(
                    file,
                    JsonWriter.pretty(SimulatedDeviceFile.of(device, device(device.id())))
                            .getBytes(StandardCharsets.UTF_8),
                    READABLE);
            edits.put(device, edits(claim, device, file));
        }
        return PrepareResult.of(claim, edits::get);
    }

    /// Applies injected faults to the preparation of a device.
    private void injectFaults(DeviceId device) throws IOException, InterruptedException {
        var faultSet = faults.get();
        if (faultSet.isGone(device) || !devices.containsKey(device)) {
            throw new IOException("device %s does not exist".formatted(device));
        }
        Thread.sleep(faultSet.prepareDelay(device));
        var prepareError = faults.get().prepareError(device);
        if (prepareError.isPresent()) {
            throw new IOException("device %s: %s".formatted(device, prepareError.get()));
        }
    }

    private Device device(DeviceId id) {
        return Optional.ofNullable(devices.get(id)).orElseGet(() -> Device.named(id.device()));
    }

    private Path folder(Uid claim) {
        return files.resolve(claim.value());
    }

    private static String fileName(AssignedDevice<?> device) {
        return String.join(
                        "_",
                        device.id().pool().replace('/', '_'),
                        device.name(),
                        device.share().orElse(""))
                + ".json";
    }

    private ContainerEdits edits(
            ClaimAssignment<JsonObject> claim, AssignedDevice<JsonObject> device, Path file) {
        var request = device.baseRequest();
        var edits =
                ContainerEdits.NONE
                        .withEnv(
                                "BERTH_DEVICE_"
                                        + request.toUpperCase(Locale.ROOT).replace('-', '_'),
                                listed(claim, request, one -> Optional.of(one.name())))
                        .withMount(
                                Mount.readOnly(
                                        file.toString(),
                                        "%s/%s/%s.json".formatted(FOLDER, request, device.name())));
        var ofVendor = VARIABLES.getOrDefault(device.id().driver(), Map.of());
        for (var variable : ofVendor.entrySet()) {
            edits =
                    edits.withEnv(
                            variable.getKey(),
                            listed(claim, request, one -> value(one.id(), variable.getValue())));
        }
        return edits;
    }

    /// All devices of a request set the same value, since the last CDI edit of a variable wins.
    private static String listed(
            ClaimAssignment<JsonObject> claim,
            String request,
            Function<AssignedDevice<JsonObject>, Optional<String>> value) {
        return claim.devices().stream()
                .filter(one -> one.baseRequest().equals(request))
                .map(one -> value.apply(one).orElse(one.name()))
                .distinct()
                .collect(Collectors.joining(","));
    }

    private Optional<String> value(DeviceId id, String attribute) {
        return switch (device(id).attributes().get(attribute)) {
            case AttributeValue.StringValue(var text) -> Optional.of(text);
            case AttributeValue.IntValue(var number) -> Optional.of(Long.toString(number));
            case null, default -> Optional.empty();
        };
    }

    @Override
    public void unprepare(PreparedClaim claim) throws IOException {
        var folder = folder(claim.claim().uid());
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (var all = Files.list(folder)) {
            for (var file : all.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }
}
