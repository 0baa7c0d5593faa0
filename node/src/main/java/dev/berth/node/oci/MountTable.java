package dev.berth.node.oci;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What is mounted where, at one moment.
record MountTable(List<Mount> mounts) {

    private static final Path FILE = Path.of("/proc/self/mountinfo");
    private static final int POINT_FIELD = 4;

    MountTable {
        mounts = List.copyOf(mounts);
    }

    /// A mount.
    ///
    /// @param options those of the file system
    record Mount(Path point, String type, String options) {}

    static MountTable read() throws IOException {
        return of(Files.readAllLines(FILE));
    }

    /// Reads lines such as `36 35 98:0 /root /point rw,noatime shared:1 - ext4 /dev/x rw`.
    static MountTable of(List<String> lines) {
        var mounts = new ArrayList<Mount>();
        for (var line : lines) {
            var dash = line.indexOf(" - ");
            if (dash > 0) {
                var before = line.split(" ", -1);
                var after = line.substring(dash + 3).split(" ", -1);
                mounts.add(
                        new Mount(
                                Path.of(plain(before[POINT_FIELD])),
                                after[0],
                                after.length > 2 ? after[2] : ""));
            }
        }
        return new MountTable(mounts);
    }

    /// Spaces and the like are written in octal.
    private static String plain(String field) {
        var text = new StringBuilder();
        for (var i = 0; i < field.length(); i++) {
            if (field.charAt(i) == '\\' && i + 3 < field.length()) {
                text.append((char) Integer.parseInt(field.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                text.append(field.charAt(i));
            }
        }
        return text.toString();
    }

    boolean has(Path point) {
        return mounts.stream().anyMatch(mount -> mount.point.equals(point));
    }

    /// All at and below a directory, the deepest and latest first: the order to undo them.
    List<Path> below(Path directory) {
        return mounts.stream()
                .map(Mount::point)
                .filter(point -> point.startsWith(directory))
                .toList()
                .reversed();
    }

    List<Mount> ofType(String type) {
        return mounts.stream().filter(mount -> mount.type.equals(type)).toList();
    }
}
