package dev.berth.drivers.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What is mounted where, as `/proc/self/mountinfo` tells.
public final class MountInfo {

    private static final String SEPARATOR = "-";
    private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");
    private static final int DEVICE = 2;
    private static final int PLACE = 4;

    private MountInfo() {}

    /// Something that is mounted.
    ///
    /// @param device numbers such as `8:1`, 0 before the colon for what is on no disk
    /// @param source such as `/dev/sda1`
    public record Mount(String device, String place, String type, String source) {}

    /// What this process sees; nothing where Linux does not tell.
    ///
    /// @param proc the tree under `/proc`
    public static List<Mount> read(Path proc) {
        try {
            // A mount of part of a volume shows names that a container chose, in any bytes.
            return parse(
                    Files.readString(proc.resolve("self/mountinfo"), StandardCharsets.ISO_8859_1));
        } catch (IOException _) {
            return List.of();
        }
    }

    /// In the order in which they were mounted; lines that are none are passed over.
    ///
    /// @param text with a character for each byte
    public static List<Mount> parse(String text) {
        var mounts = new ArrayList<Mount>();
        for (var line : text.split("\n", -1)) {
            var words = List.of(line.split(" ", -1));
            var separator = words.indexOf(SEPARATOR);
            if (separator > PLACE && words.size() > separator + 2) {
                mounts.add(
                        new Mount(
                                words.get(DEVICE),
                                plain(words.get(PLACE)),
                                words.get(separator + 1),
                                plain(words.get(separator + 2))));
            }
        }
        return mounts;
    }

    /// Linux writes blanks and the like as `\040`.
    private static String plain(String text) {
        var bytes =
                ESCAPED.matcher(text)
                        .replaceAll(match ->
                                Matcher.quoteReplacement(
                                        Character.toString(Integer.parseInt(match.group(1), 8))))
                        .getBytes(StandardCharsets.ISO_8859_1);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
