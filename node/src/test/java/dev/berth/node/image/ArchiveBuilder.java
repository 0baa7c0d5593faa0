package dev.berth.node.image;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/// Builds OCI archives for tests.
public final class ArchiveBuilder {

    private final List<byte[]> layers = new ArrayList<>();
    private JsonObject settings = JsonObject.EMPTY;
    private String name = "";
    private String architecture = ImageLayout.ownArchitecture();
    private boolean isCompressed;

    public ArchiveBuilder layer(TarWriter layer) {
        layers.add(layer.bytes());
        return this;
    }

    public ArchiveBuilder settings(JsonObject config) {
        settings = config;
        return this;
    }

    public ArchiveBuilder named(String reference) {
        name = reference;
        return this;
    }

    public ArchiveBuilder architecture(String other) {
        architecture = other;
        return this;
    }

    public ArchiveBuilder compressed() {
        isCompressed = true;
        return this;
    }

    /// Writes the archive.
    public Path write(Path file) throws IOException {
        Files.write(file, tar().bytes());
        return file;
    }

    /// The archive as a TarWriter, to which more members can be added.
    public TarWriter tar() throws IOException {
        var tar = new TarWriter().file("oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}");
        var diffIds = new ArrayList<Json>();
        var descriptors = new ArrayList<Json>();
        for (var layer : layers) {
            diffIds.add(Json.of(Digests.of(layer)));
            descriptors.add(blob(tar, isCompressed ? zipped(layer) : layer));
        }
        var config =
                JsonObject.of("architecture", Json.of(architecture))
                        .with("os", Json.of("linux"))
                        .with("config", settings)
                        .with("rootfs", JsonObject.of("diff_ids", Json.array(diffIds)));
        var manifest =
                JsonObject.of("schemaVersion", Json.of(2))
                        .with("config", blob(tar, JsonWriter.bytes(config)))
                        .with("layers", Json.array(descriptors));
        var descriptor =
                blob(tar, JsonWriter.bytes(manifest))
                        .with(
                                "annotations",
                                JsonObject.of("org.opencontainers.image.ref.name", Json.of(name)));
        var index = JsonObject.of("manifests", Json.array(descriptor));
        return tar.file("index.json", JsonWriter.compact(index));
    }

    private static JsonObject blob(TarWriter tar, byte[] content) {
        var digest = Digests.of(content);
        tar.file("blobs/" + digest.replace(':', '/'), 0644, 0, content);
        return JsonObject.of("digest", Json.of(digest)).with("size", Json.of(content.length));
    }

    private static byte[] zipped(byte[] content) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(bytes)) {
            zip.write(content);
        }
        return bytes.toByteArray();
    }
}
