package dev.berth.node.volume;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// A directory whose files change all at once or not at all.
///
/// The files are in a hidden directory beside the links that have their names, and one link named
/// `..data` says which hidden directory that is. Whoever has a file open keeps what it opened.
final class PublishedDirectory {

    private static final String CURRENT = "..data";

    private final Path directory;

    PublishedDirectory(Path directory) {
        this.directory = directory;
    }

    /// Replaces what is there, unless that is the same.
    ///
    /// @param files by their path in the directory
    void write(Map<String, Payload> files) throws IOException {
        var old = current();
        if (isSame(old, files)) {
            return;
        }
        var fresh = Files.createTempDirectory(directory, "..");
        Files.setAttribute(fresh, "unix:mode", 0755);
        for (var file : files.entrySet()) {
            var target = fresh.resolve(file.getKey());
            Files.createDirectories(target.resolveSibling(""));
            Files.write(target, file.getValue().content().toByteArray());
            Files.setAttribute(target, "unix:mode", file.getValue().mode());
        }
        var link = directory.resolve(CURRENT + "_tmp");
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, fresh.getFileName());
        Files.move(link, directory.resolve(CURRENT), StandardCopyOption.ATOMIC_MOVE);
        link(tops(files));
        if (!old.equals(directory) && !old.equals(fresh)) {
            delete(old);
        }
    }

    /// Where the files are now; the directory itself when there are none.
    private Path current() throws IOException {
        try {
            return directory.resolve(Files.readSymbolicLink(directory.resolve(CURRENT)));
        } catch (NoSuchFileException _) {
            return directory;
        }
    }

    private boolean isSame(Path old, Map<String, Payload> files) throws IOException {
        if (old.equals(directory) || !Files.isDirectory(old)) {
            return false;
        }
        var present = new HashSet<String>();
        try (var all = Files.walk(old)) {
            all.filter(Files::isRegularFile)
                    .forEach(file -> present.add(old.relativize(file).toString()));
        }
        if (!present.equals(files.keySet())) {
            return false;
        }
        for (var file : files.entrySet()) {
            var path = old.resolve(file.getKey());
            var mode = (int) Files.getAttribute(path, "unix:mode") & 07777;
            if (!new Payload(ByteString.copyFrom(Files.readAllBytes(path)), mode)
                    .equals(file.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static Set<String> tops(Map<String, Payload> files) {
        var tops = new HashSet<String>();
        files.keySet().forEach(path -> tops.add(Path.of(path).getName(0).toString()));
        return tops;
    }

    private void link(Set<String> tops) throws IOException {
        for (var top : tops) {
            var link = directory.resolve(top);
            if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
                Files.createSymbolicLink(link, Path.of(CURRENT, top));
            }
        }
        try (Stream<Path> all = Files.list(directory)) {
            for (var path : all.toList()) {
                var name = path.getFileName().toString();
                if (!name.startsWith("..") && !tops.contains(name)) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    static void delete(Path tree) throws IOException {
        if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (var all = Files.walk(tree)) {
            for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
