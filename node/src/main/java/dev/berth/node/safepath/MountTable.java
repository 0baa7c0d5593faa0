package dev.berth.node.safepath;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The mount table of this process at one moment.
public record MountTable(List<Mount> mounts) {

    private static final Path FILE = Path.of("/proc/self/mountinfo");
    private static final int POINT_FIELD = 4;

    public MountTable {
        mounts = List.copyOf(mounts);
    }

    /// A mount.
    ///
    /// @param options of the file system
    public record Mount(Path point, String type, String options) {}

    /// Reads the mount table. Lines end with a line feed only, and may contain bytes that are not
    /// valid UTF-8: for a subPath mount the kernel shows the path in the volume, whose names a
    /// container chose.
    public static MountTable read() throws IOException {
        var text = Files.readString(FILE, StandardCharsets.ISO_8859_1);
        return of(List.of(text.split("\n", -1)));
    }

    /// Parses lines such as `36 35 98:0 /root /point rw,noatime shared:1 - ext4 /dev/x rw`.
    ///
    /// @param lines one character per byte
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

    /// The mount point; empty if it is not a valid Java path, which no mount of the agent is.
    private static Optional<Path> point(String field) {
        try {
            return Optional.of(Path.of(decoded(field)));
        } catch (InvalidPathException _) {
            return Optional.empty();
        }
    }

    /// Decodes octal escapes, such as those of spaces.
    private static String decoded(String field) {
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

    /// All mount points at and below a directory, deepest and latest first: the order of
    /// unmounting.
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
