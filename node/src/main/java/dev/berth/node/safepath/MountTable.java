package dev.berth.node.safepath;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What is mounted where, at one moment.
public record MountTable(List<Mount> mounts) {

    private static final Path FILE = Path.of("/proc/self/mountinfo");
    private static final int POINT_FIELD = 4;

    public MountTable {
        mounts = List.copyOf(mounts);
    }

    /// A mount.
    ///
    /// @param options those of the file system
    public record Mount(Path point, String type, String options) {}

    /// Lines end by a line feed and nothing else, and may have bytes that are no text: of a mount
    /// of part of a volume, the path in the volume is shown, and a container chose its names.
    public static MountTable read() throws IOException {
        var text = Files.readString(FILE, StandardCharsets.ISO_8859_1);
        return of(List.of(text.split("\n", -1)));
    }

    /// Reads lines such as `36 35 98:0 /root /point rw,noatime shared:1 - ext4 /dev/x rw`.
    ///
    /// @param lines with a character for each byte
    public static MountTable of(List<String> lines) {
        var mounts = new ArrayList<Mount>();
        for (var line : lines) {
            var dash = line.indexOf(" - ");
            if (dash > 0) {
                var before = line.split(" ", -1);
                var after = line.substring(dash + 3).split(" ", -1);
                point(before[POINT_FIELD])
                        .map(point -> new Mount(point, after[0], after.length > 2 ? after[2] : ""))
                        .ifPresent(mounts::add);
            }
        }
        return new MountTable(mounts);
    }

    /// Where a mount is; empty when Java cannot name it, which holds for none of our own.
    private static Optional<Path> point(String field) {
        try {
            return Optional.of(Path.of(plain(field)));
        } catch (InvalidPathException _) {
            return Optional.empty();
        }
    }

    /// Spaces and the like are written in octal.
    private static String plain(String field) {
        var text = new StringBuilder(field.length());
        for (var i = 0; i < field.length(); i++) {
            if (field.charAt(i) == '\\' && i + 3 < field.length()) {
                text.append((char) Integer.parseInt(field.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                text.append(field.charAt(i));
            }
        }
        return new String(
                text.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    public boolean has(Path point) {
        return mounts.stream().anyMatch(mount -> mount.point.equals(point));
    }

    /// All at and below a directory, the deepest and latest first: the order to undo them.
    public List<Path> below(Path directory) {
        return mounts.stream()
                .map(Mount::point)
                .filter(point -> point.startsWith(directory))
                .toList()
                .reversed();
    }

    public List<Mount> ofType(String type) {
        return mounts.stream().filter(mount -> mount.type.equals(type)).toList();
    }
}
