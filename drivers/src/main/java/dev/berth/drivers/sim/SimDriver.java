package dev.berth.drivers.sim;

import dev.berth.core.publish.DesiredPool;
import dev.berth.model.api.AttributeValue;
import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.Uid;
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
import dev.berth.node.file.AtomicFile;
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

/// Prepares devices that are not there: containers get variables that name them, and a file with
/// what is known of each.
///
/// - `BERTH_DEVICE_REQUEST=name,name` for each request, and what programs of the vendor look at;
/// - `/run/berth/devices/REQUEST/NAME.json`.
final class SimDriver implements Driver<JsonObject> {

    /// Where containers find the files.
    private static final String FOLDER = "/run/berth/devices";

    private static final String READABLE = "rw-r--r--";

    /// Variables of vendors, and the attribute that they list, by driver.
    private static final Map<String, Map<String, String>> VARIABLES =
            Map.of(
                    "gpu.nvidia.com", Map.of("NVIDIA_VISIBLE_DEVICES", "uuid"),
                    "tpu.google.com", Map.of("TPU_VISIBLE_CHIPS", "index"));

    private final Path files;
    private final Map<DeviceId, Device> devices = new HashMap<>();
    private final Supplier<FaultSet> faults;

    /// @param pools of one driver
    /// @param data where it may keep files
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
            suffer(device.id());
        }
        var folder = folder(claim.claim().uid());
        Files.createDirectories(folder);
        var edits = new HashMap<AssignedDevice<JsonObject>, ContainerEdits>();
        for (var device : claim.devices()) {
            var file = folder.resolve(fileName(device));
            AtomicFile.write(
                    file,
                    JsonWriter.pretty(SimulatedDeviceFile.of(device, known(device.id())))
                            .getBytes(StandardCharsets.UTF_8),
                    READABLE);
            edits.put(device, edits(claim, device, file));
        }
        return PrepareResult.of(claim, edits::get);
    }

    /// What somebody wants to go wrong.
    private void suffer(DeviceId device) throws IOException, InterruptedException {
        var sheet = faults.get();
        if (sheet.isGone(device) || !devices.containsKey(device)) {
            throw new IOException("device %s is not there any more".formatted(device));
        }
        Thread.sleep(sheet.slowness(device));
        var refusal = faults.get().refusal(device);
        if (refusal.isPresent()) {
            throw new IOException("device %s: %s".formatted(device, refusal.get()));
        }
    }

    private Device known(DeviceId id) {
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

    /// Devices of the same request have the same variables, since the last one counts.
    private static String listed(
            ClaimAssignment<JsonObject> claim,
            String request,
            Function<AssignedDevice<JsonObject>, Optional<String>> word) {
        return claim.devices().stream()
                .filter(one -> one.baseRequest().equals(request))
                .map(one -> word.apply(one).orElse(one.name()))
                .distinct()
                .collect(Collectors.joining(","));
    }

    private Optional<String> value(DeviceId id, String attribute) {
        return switch (known(id).attributes().get(attribute)) {
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
