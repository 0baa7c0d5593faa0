package dev.berth.node.image;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// An image with the machine's static busybox.
public final class BusyboxImage {

    public static final String NAME = "docker.io/library/busybox:latest";

    private static final Path PROGRAM = Path.of("/bin/busybox");
    private static final List<String> APPLETS =
            ("sh ash cat echo ls sleep true false id env hostname ip ping wget nc stat mknod dd"
                            + " head tail tty stty kill ps mount touch mkdir rm grep printf wc seq"
                            + " test readlink httpd df od yes")
                    .lines()
                    .flatMap(line -> List.of(line.split(" ", -1)).stream())
                    .toList();

    private BusyboxImage() {}

    public static boolean isPossible() {
        return Files.isExecutable(PROGRAM);
    }

    /// Writes an OCI archive of the image.
    public static Path write(Path file) throws IOException {
        var layer =
                new TarWriter()
                        .directory("bin/")
                        .file("bin/busybox", 0755, 0, Files.readAllBytes(PROGRAM));
        APPLETS.forEach(applet -> layer.link("bin/" + applet, "busybox"));
        for (var name : List.of("dev/", "etc/", "proc/", "sys/", "tmp/", "var/")) {
            layer.directory(name);
        }
        layer.file("etc/passwd", "root:x:0:0:root:/root:/bin/sh\nalice:x:1000:1001::/:/bin/sh\n");
        layer.file("etc/group", "root:x:0:\nalice:x:1001:\nvideo:x:44:alice\n");
        return new ArchiveBuilder()
                .layer(layer)
                .compressed()
                .named(NAME)
                .settings(
                        JsonObject.of("Cmd", Json.array(Json.of("sh")))
                                .with("Env", Json.array(Json.of("PATH=/bin"))))
                .write(file);
    }
}
