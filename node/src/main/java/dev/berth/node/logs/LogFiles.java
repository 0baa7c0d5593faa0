package dev.berth.node.logs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/// The log files of one container: `N.log`, the current file, and rotated files `N.log.1`,
/// `N.log.2` and so on, of which the highest number is the newest. Numbers are not reused while the
/// container exists, so that readers and rotation agree on the order whatever the clock does.
///
/// @param current the current file
public record LogFiles(Path current) {

    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,17}");
    private static final Pattern ATTEMPT = Pattern.compile("([0-9]{1,9})\\.log(\\.[0-9]{1,18})?");

    /// A rotated file.
    public record Rotated(Path path, long number) {}

    /// True if there are any files, also while a renamed current file has no successor yet.
    public boolean exist() throws IOException {
        return Files.exists(current) || !rotated().isEmpty();
    }

    /// The rotated files, oldest first.
    public List<Rotated> rotated() throws IOException {
        var prefix = current.getFileName() + ".";
        var found = new ArrayList<Rotated>();
        for (var file : list(current.resolveSibling(""))) {
            var name = String.valueOf(file.getFileName());
            if (name.startsWith(prefix)) {
                var number = name.substring(prefix.length());
                if (NUMBER.matcher(number).matches()) {
                    found.add(new Rotated(file, Long.parseLong(number)));
                }
            }
        }
        found.sort(Comparator.comparingLong(Rotated::number));
        return found;
    }

    /// The name of the current file after its rotation.
    Path next() throws IOException {
        var all = rotated();
        var number = all.isEmpty() ? 1 : all.getLast().number + 1;
        return current.resolveSibling(current.getFileName() + "." + number);
    }

    /// Deletes the oldest rotated files.
    ///
    /// @param count how many to keep
    void keepNewest(int count) throws IOException {
        var all = rotated();
        for (var file : all.subList(0, Math.max(0, all.size() - count))) {
            Files.deleteIfExists(file.path);
        }
    }

    /// Deletes the logs of all attempts of a container except one.
    ///
    /// @param directory of the container's logs
    /// @param kept the attempt to keep
    public static void keepAttempt(Path directory, int kept) throws IOException {
        for (var file : list(directory)) {
            var name = ATTEMPT.matcher(String.valueOf(file.getFileName()));
            if (name.matches() && Integer.parseInt(name.group(1)) != kept) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.toList();
        } catch (NoSuchFileException | NotDirectoryException _) {
            return List.of();
        }
    }
}
