package dev.berth.node.volume;

import dev.berth.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A `hostPath` volume.
final class HostPath {

    private static final int TYPE = 0170000;
    private static final int SOCKET = 0140000;
    private static final int BLOCK = 0060000;
    private static final int CHARACTER = 0020000;

    private HostPath() {}

    /// The path, checked against its type and created for the `OrCreate` types.
    static Path check(JsonObject source) throws IOException, VolumeException {
        var path = Path.of(source.text("path"));
        var type = source.text("type");
        if (type.equals("DirectoryOrCreate")) {
            Files.createDirectories(path);
        }
        if (type.equals("FileOrCreate") && !Files.exists(path)) {
            Files.createFile(path);
        }
        var hasType =
                switch (type) {
                    case "" -> Files.exists(path);
                    case "Directory", "DirectoryOrCreate" -> Files.isDirectory(path);
                    case "File", "FileOrCreate" -> Files.isRegularFile(path);
                    case "Socket" -> is(path, SOCKET);
                    case "CharDevice" -> is(path, CHARACTER);
                    case "BlockDevice" -> is(path, BLOCK);
                    default ->
                            throw new VolumeException(
                                    "hostPath type %s is unknown".formatted(type));
                };
        if (!hasType) {
            throw new VolumeException(
                    "hostPath type check failed: %s is not %s"
                            .formatted(path, type.isEmpty() ? "an existing path" : "a " + type));
        }
        return path;
    }

    private static boolean is(Path path, int type) throws IOException {
        return Files.exists(path) && ((int) Files.getAttribute(path, "unix:mode") & TYPE) == type;
    }
}
