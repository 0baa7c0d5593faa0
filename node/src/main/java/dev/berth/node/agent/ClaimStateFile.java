package dev.berth.node.agent;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.file.PrivateFile;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.node.agent.NodeClaimState.DriverState;
import dev.berth.node.agent.NodeClaimState.Phase;
import dev.berth.node.agent.NodeClaimState.PreparedDevice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.zip.CRC32;

/// The claim state file `dra_manager_state`, in the kubelet's location and checkpoint format, so
/// that kubelet and agent can take over from each other.
///
/// The file does not record whether a claim is prepared. After a restart drivers are called again;
/// their calls are idempotent.
final class ClaimStateFile {

    private final Path file;

    /// @param root the kubelet's directory
    ClaimStateFile(Path root) {
        this.file = root.resolve("dra_manager_state");
    }

    /// Reads the claim states; empty when there is no file.
    ///
    /// @throws IOException also when the file is damaged; the message names the remedy
    NodeClaimStates read() throws IOException {
        byte[] text;
        try {
            text = Files.readAllBytes(file);
        } catch (NoSuchFileException _) {
            return NodeClaimStates.NONE;
        }
        var outer = object(text);
        var data = outer.text("Data");
        if (data.isEmpty() || outer.number("Checksum").orElse(-1) != checksum(data)) {
            throw damaged("its checksum is wrong");
        }
        var inner = object(data.getBytes(StandardCharsets.UTF_8));
        var claimStates = NodeClaimStates.NONE;
        for (var claim : inner.objects("ClaimInfoStateList")) {
            claimStates = claimStates.with(claim(claim));
        }
        return claimStates;
    }

    private JsonObject object(byte[] text) throws IOException {
        if (JsonReader.read(text) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject object) {
            return object;
        }
        throw damaged("it is not a JSON object");
    }

    private IOException damaged(String reason) {
        return new IOException(
                ("%s is damaged: %s. Drain the node and delete the file; what drivers have prepared"
                                + " for pods that are gone has to be cleaned up by hand")
                        .formatted(file, reason));
    }

    void write(NodeClaimStates claimStates) throws IOException {
        var data =
                JsonWriter.compact(
                        JsonObject.of("kind", Json.of("DRACheckpoint"))
                                .with("apiVersion", Json.of("checkpoint.dra.kubelet.k8s.io/v1"))
                                .with(
                                        "ClaimInfoStateList",
                                        list(
                                                List.copyOf(claimStates.claims().values()),
                                                ClaimStateFile::tree)));
        var outer = JsonObject.of("Data", Json.of(data)).with("Checksum", Json.of(checksum(data)));
        Files.createDirectories(file.toAbsolutePath().resolveSibling(""));
        PrivateFile.write(file, JsonWriter.compact(outer));
    }

    private static long checksum(String data) {
        var sum = new CRC32();
        sum.update(data.getBytes(StandardCharsets.UTF_8));
        return sum.getValue();
    }

    private static JsonObject tree(NodeClaimState claim) {
        var pods = JsonObject.EMPTY;
        for (var pod : claim.pods()) {
            pods = pods.with(pod.value(), JsonObject.EMPTY);
        }
        var drivers = JsonObject.EMPTY;
        for (var entry : claim.drivers().entrySet()) {
            var part = entry.getValue();
            var tree = JsonObject.of("Devices", list(part.devices(), ClaimStateFile::tree));
            if (!part.skipped().isEmpty()) {
                tree = tree.with("skipNodeOperations", list(part.skipped(), Json::of));
            }
            drivers = drivers.with(entry.getKey(), tree);
        }
        return JsonObject.of("ClaimUID", Json.of(claim.uid().value()))
                .with("ClaimName", Json.of(claim.ref().name()))
                .with("Namespace", Json.of(claim.ref().namespace()))
                .with("PodUIDs", pods)
                .with("DriverState", drivers);
    }

    private static JsonObject tree(PreparedDevice device) {
        var tree =
                JsonObject.of("PoolName", Json.of(device.pool()))
                        .with("DeviceName", Json.of(device.device()))
                        .with(
                                "ShareID",
                                device.share().<Json>map(Json::of).orElse(Json.JsonNull.INSTANCE));
        return tree.with("RequestNames", list(device.requests(), Json::of))
                .with("CDIDeviceIDs", list(device.cdiIds(), Json::of));
    }

    private static <T> Json list(List<T> items, Function<T, Json> tree) {
        return Json.array(items.stream().map(tree).toList());
    }

    private static NodeClaimState claim(JsonObject tree) {
        var pods = new LinkedHashSet<Uid>();
        tree.objectOrEmpty("PodUIDs").names().forEach(pod -> pods.add(new Uid(pod)));
        var drivers = new TreeMap<String, DriverState>();
        var state = tree.objectOrEmpty("DriverState");
        for (var driver : state.names()) {
            var part = state.objectOrEmpty(driver);
            drivers.put(
                    driver,
                    new DriverState(
                            part.objects("Devices").stream().map(ClaimStateFile::device).toList(),
                            part.strings("skipNodeOperations")));
        }
        return new NodeClaimState(
                new ObjectRef(tree.text("Namespace"), tree.text("ClaimName")),
                new Uid(tree.text("ClaimUID")),
                pods,
                drivers,
                Phase.PREPARING);
    }

    private static PreparedDevice device(JsonObject tree) {
        return new PreparedDevice(
                tree.text("PoolName"),
                tree.text("DeviceName"),
                tree.string("ShareID"),
                tree.strings("RequestNames"),
                tree.strings("CDIDeviceIDs"));
    }
}
