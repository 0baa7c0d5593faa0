package dev.berth.drivers.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the mount table in `/proc/self/mountinfo`.
public final class MountInfo {

    private static final String SEPARATOR = "-";
    private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");
    private static final int DEVICE = 2;
    private static final int MOUNT_POINT = 4;

    private MountInfo() {}

    /// A mounted file system.
    ///
    /// @param device device number such as `8:1`; major number 0 without a block device
    /// @param source such as `/dev/sda1`
    public record Mount(String device, String mountPoint, String type, String source) {}

    /// The mounts of this process; empty if they cannot be read.
    ///
    /// @param proc root of `/proc`
    public static List<Mount> read(Path proc) {
        try {
            // Bind mounts contain names chosen by containers, in arbitrary bytes.
            return parse(
                    Files.readString(proc.resolve("self/mountinfo"), StandardCharsets.ISO_8859_1));
        } catch (IOException _) {
            return List.of();
        }
    }

    /// Parses a mount table, in mount order; malformed lines are skipped.
    ///
    /// @param text decoded with one character per byte
    public static List<Mount> parse(String text) {
        var mounts = new ArrayList<Mount>();
        for (var line : text.split("\n", -1)) {
            var words = List.of(line.split(" ", -1));
            var separator = words.indexOf(SEPARATOR);
            if (separator > MOUNT_POINT && words.size() > separator + 2) {
                mounts.add(
                        new Mount(
                                words.get(DEVICE),
                                unescape(words.get(MOUNT_POINT)),
                                words.get(separator + 1),
                                unescape(words.get(separator + 2))));
            }
        }
        return mounts;
    }

    /// Decodes octal escapes such as `\040`.
    private static String unescape(String text) {
        var bytes =
                ESCAPED.matcher(text)
                        .replaceAll(match ->
                                Matcher.quoteReplacement(
                                        Character.toString(Integer.parseInt(match.group(1), 8))))
                        .getBytes(StandardCharsets.ISO_8859_1);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
