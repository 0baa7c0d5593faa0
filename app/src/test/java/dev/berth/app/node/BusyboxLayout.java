package dev.berth.app.node;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.node.image.ImageStore;
import dev.berth.node.oci.OciOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;

/// An image of the machine's static busybox, as a directory.
public final class BusyboxLayout {

    private static final Path PROGRAM = Path.of("/bin/busybox");

    private BusyboxLayout() {}

    public static boolean isPossible() {
        return Files.isExecutable(PROGRAM);
    }

    /// Puts the image into the store of a node, under the name `busybox`.
    ///
    /// @param root the node's directory
    public static void add(Path root, Path scratch) throws IOException, InterruptedException {
        var files = scratch.resolve("files");
        for (var directory : List.of("bin", "dev", "etc", "proc", "sys", "tmp", "var")) {
            Files.createDirectories(files.resolve(directory));
        }
        Files.copy(PROGRAM, files.resolve("bin/busybox"));
        for (var name : List.of("sh", "sleep", "cat", "true")) {
            Files.createSymbolicLink(files.resolve("bin").resolve(name), Path.of("busybox"));
        }
        var layer = scratch.resolve("layer.tar");
        var tar =
                new ProcessBuilder("tar", "-C", files.toString(), "-cf", layer.toString(), ".")
                        .inheritIO()
                        .start();
        if (tar.waitFor() != 0) {
            throw new IOException("tar failed");
        }
        var layout = scratch.resolve("layout");
        write(layout, Files.readAllBytes(layer));
        new ImageStore(OciOptions.images(root), Clock.systemUTC())
                .add(layout, ImageStore.ImportRequest.NONE);
    }

    private static void write(Path layout, byte[] layer) throws IOException {
        Files.createDirectories(layout.resolve("blobs/sha256"));
        var config =
                JsonObject.of("architecture", Json.of("amd64"))
                        .with("os", Json.of("linux"))
                        .with(
                                "config",
                                JsonObject.of("Cmd", Json.array(Json.of("sh")))
                                        .with("Env", Json.array(Json.of("PATH=/bin"))))
                        .with(
                                "rootfs",
                                JsonObject.of("type", Json.of("layers"))
                                        .with(
                                                "diff_ids",
                                                Json.array(Json.of("sha256:" + digest(layer)))));
        var manifest =
                JsonObject.of("schemaVersion", Json.of(2))
                        .with("mediaType", Json.of("application/vnd.oci.image.manifest.v1+json"))
                        .with("config", blob(layout, "config", bytes(config)))
                        .with("layers", Json.array(blob(layout, "layer", layer)));
        var entry =
                blob(layout, "manifest", bytes(manifest))
                        .with(
                                "annotations",
                                JsonObject.of(
                                        "org.opencontainers.image.ref.name",
                                        Json.of("docker.io/library/busybox:latest")));
        var index = JsonObject.of("schemaVersion", Json.of(2)).with("manifests", Json.array(entry));
        Files.write(layout.resolve("index.json"), bytes(index));
        Files.writeString(layout.resolve("oci-layout"), "{\"imageLayoutVersion\": \"1.0.0\"}");
    }

    private static JsonObject blob(Path layout, String kind, byte[] content) throws IOException {
        var digest = digest(content);
        Files.write(layout.resolve("blobs/sha256").resolve(digest), content);
        var type =
                switch (kind) {
                    case "config" -> "application/vnd.oci.image.config.v1+json";
                    case "layer" -> "application/vnd.oci.image.layer.v1.tar";
                    default -> "application/vnd.oci.image.manifest.v1+json";
                };
        return JsonObject.of("mediaType", Json.of(type))
                .with("digest", Json.of("sha256:" + digest))
                .with("size", Json.of(content.length));
    }

    private static byte[] bytes(JsonObject tree) {
        return JsonWriter.compact(tree).getBytes(StandardCharsets.UTF_8);
    }

    private static String digest(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
