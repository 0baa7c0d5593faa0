package dev.berth.node.image;

import dev.berth.model.text.FailureText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// Unpacks the layers of an image into one directory.
///
/// A layer deletes files of lower layers by whiteouts: the empty file `.wh.NAME` deletes a name,
/// `.wh..wh..opq` deletes all entries that lower layers have in its directory. Device nodes are
/// skipped: a container gets only the devices it was granted.
final class LayerUnpacker {

    private static final String WHITEOUT = ".wh.";
    private static final String OPAQUE = ".wh..wh..opq";

    /// Prefix of files that some old tools create for themselves.
    private static final String TOOL_PREFIX = ".wh..wh.";

    private final ImageRoot tree;
    private final UnpackBudget budget;
    private final Set<Path> added = new HashSet<>();
    private final Map<Path, TarEntry> directories = new LinkedHashMap<>();

    private LayerUnpacker(ImageRoot tree, UnpackBudget budget) {
        this.tree = tree;
        this.budget = budget;
    }

    /// Unpacks one layer on top of those below it.
    ///
    /// @param tar uncompressed
    static void unpack(InputStream tar, ImageRoot tree, UnpackBudget budget) throws IOException {
        new LayerUnpacker(tree, budget).unpack(new TarReader(tar));
    }

    private void unpack(TarReader reader) throws IOException {
        for (var next = reader.next(); next.isPresent(); next = reader.next()) {
            var entry = next.get();
            try {
                var createdBefore = tree.createdDirectories();
                var path = tree.memberPath(entry.name());
                budget.addEntries(1 + tree.createdDirectories() - createdBefore);
                var name = path.equals(tree.root()) ? "" : String.valueOf(path.getFileName());
                if (name.startsWith(WHITEOUT)) {
                    remove(path, name);
                } else {
                    add(entry, path, reader);
                }
            } catch (InvalidImageException e) {
                throw e;
            } catch (InvalidPathException e) {
                throw new InvalidImageException(
                        ("%s is not a valid file name here: %s; if it has non-ASCII characters,"
                                        + " start berth with LC_ALL=C.UTF-8")
                                .formatted(entry.name(), e.getReason()));
            } catch (IOException e) {
                throw new IOException(
                        "%s cannot be unpacked: %s".formatted(entry.name(), reason(e)), e);
            }
        }
        // Times are set last because adding entries changes them.
        for (var directory : directories.entrySet()) {
            setTime(directory.getKey(), directory.getValue());
        }
    }

    private static String reason(IOException e) {
        return FailureText.of(e);
    }

    private void remove(Path path, String name) throws IOException {
        var directory = path.resolveSibling("");
        if (name.equals(OPAQUE)) {
            deleteLower(directory);
        } else if (!name.startsWith(TOOL_PREFIX)) {
            var removed = name.substring(WHITEOUT.length());
            if (removed.isEmpty() || removed.equals(".") || removed.equals("..")) {
                throw new InvalidImageException("the image deletes \"%s\"".formatted(removed));
            }
            ImageRoot.delete(directory.resolve(removed));
        }
    }

    /// Deletes the entries of lower layers; entries of this layer stay.
    private void deleteLower(Path directory) throws IOException {
        try (var children = Files.list(directory)) {
            for (var child : children.toList()) {
                if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                    deleteLower(child);
                    if (!added.contains(child) && isEmpty(child)) {
                        Files.delete(child);
                    }
                } else if (!added.contains(child)) {
                    Files.delete(child);
                }
            }
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (var children = Files.list(directory)) {
            return children.findAny().isEmpty();
        }
    }

    private void add(TarEntry entry, Path path, TarReader reader) throws IOException {
        var isDirectory = entry.kind() == TarEntry.Kind.DIRECTORY;
        if (!isDirectory || !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            if (path.equals(tree.root())) {
                throw new InvalidImageException("the root of the image is not a directory");
            }
            ImageRoot.delete(path);
        }
        switch (entry.kind()) {
            case DIRECTORY -> {
                if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createDirectory(path);
                }
                directories.put(path, entry);
            }
            case FILE -> Files.copy(reader.content(), path);
            case SYMBOLIC_LINK -> Files.createSymbolicLink(path, Path.of(entry.link()));
            case HARD_LINK -> {
                link(entry, path);
                added.add(path);
                return;
            }
            case PIPE -> makePipe(path);
            case DEVICE -> {
                return;
            }
        }
        added.add(path);
        setAttributes(path, entry);
    }

    private void link(TarEntry entry, Path path) throws IOException {
        var other = tree.memberPath(entry.link());
        if (!Files.exists(other, LinkOption.NOFOLLOW_LINKS)) {
            throw new InvalidImageException(
                    "%s is a link to %s, which the image does not have"
                            .formatted(entry.name(), entry.link()));
        }
        Files.createLink(path, other);
    }

    /// Creates a pipe by `mkfifo`, because Java cannot.
    private static void makePipe(Path path) throws IOException {
        var process = new ProcessBuilder("mkfifo", path.toString()).inheritIO().start();
        try {
            if (process.waitFor() != 0) {
                throw new IOException("mkfifo exited with " + process.exitValue());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void setAttributes(Path path, TarEntry entry) throws IOException {
        Files.setAttribute(path, "unix:uid", entry.uid(), LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(path, "unix:gid", entry.gid(), LinkOption.NOFOLLOW_LINKS);
        if (entry.kind() != TarEntry.Kind.SYMBOLIC_LINK) {
            // After the owner, because changing it clears the setuid bit.
            Files.setAttribute(path, "unix:mode", entry.mode());
        }
        if (entry.kind() == TarEntry.Kind.FILE) {
            setTime(path, entry);
        }
    }

    private static void setTime(Path path, TarEntry entry) throws IOException {
        var view =
                Files.getFileAttributeView(
                        path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        // Java opens a file to set its time, and would block forever on a pipe; a former directory
        // may have become one.
        var isOpenable =
                Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                        || Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
        if (view != null && isOpenable) {
            view.setTimes(FileTime.from(entry.time()), null, null);
        }
    }
}
