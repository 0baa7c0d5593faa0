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

/// Puts the layers of an image on top of each other in one directory.
///
/// A layer deletes what is below it by empty files: `.wh.NAME` for a name, `.wh..wh..opq` for all
/// that lower layers have in a directory. Devices are left out: a container has those that it was
/// given and no others.
final class LayerUnpacker {

    private static final String WHITEOUT = ".wh.";
    private static final String OPAQUE = ".wh..wh..opq";

    /// Names that some old tools leave behind for themselves.
    private static final String TOOLS_OWN = ".wh..wh.";

    private final ImageRoot tree;
    private final UnpackBudget budget;
    private final Set<Path> added = new HashSet<>();
    private final Map<Path, TarEntry> directories = new LinkedHashMap<>();

    private LayerUnpacker(ImageRoot tree, UnpackBudget budget) {
        this.tree = tree;
        this.budget = budget;
    }

    /// Unpacks one layer onto those below it.
    ///
    /// @param tar not compressed
    static void unpack(InputStream tar, ImageRoot tree, UnpackBudget budget) throws IOException {
        new LayerUnpacker(tree, budget).unpack(new TarReader(tar));
    }

    private void unpack(TarReader reader) throws IOException {
        for (var next = reader.next(); next.isPresent(); next = reader.next()) {
            var entry = next.get();
            try {
                var madeBefore = tree.madeDirectories();
                var place = tree.place(entry.name());
                budget.addEntries(1 + tree.madeDirectories() - madeBefore);
                var name = place.equals(tree.root()) ? "" : String.valueOf(place.getFileName());
                if (name.startsWith(WHITEOUT)) {
                    remove(place, name);
                } else {
                    add(entry, place, reader);
                }
            } catch (InvalidImageException e) {
                throw e;
            } catch (InvalidPathException e) {
                throw new InvalidImageException(
                        ("%s cannot be a name of a file here: %s; if it has letters beyond ASCII,"
                                        + " start berth with LC_ALL=C.UTF-8")
                                .formatted(entry.name(), e.getReason()));
            } catch (IOException e) {
                throw new IOException(
                        "%s cannot be unpacked: %s".formatted(entry.name(), reason(e)), e);
            }
        }
        // Filling a directory changes its time.
        for (var directory : directories.entrySet()) {
            setTime(directory.getKey(), directory.getValue());
        }
    }

    private static String reason(IOException e) {
        return FailureText.of(e);
    }

    private void remove(Path place, String name) throws IOException {
        var directory = place.resolveSibling("");
        if (name.equals(OPAQUE)) {
            clear(directory);
        } else if (!name.startsWith(TOOLS_OWN)) {
            var removed = name.substring(WHITEOUT.length());
            if (removed.isEmpty() || removed.equals(".") || removed.equals("..")) {
                throw new InvalidImageException("the image deletes \"%s\"".formatted(removed));
            }
            ImageRoot.delete(directory.resolve(removed));
        }
    }

    /// Deletes what lower layers have; what this one put there before stays.
    private void clear(Path directory) throws IOException {
        try (var children = Files.list(directory)) {
            for (var child : children.toList()) {
                if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                    clear(child);
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

    private void add(TarEntry entry, Path place, TarReader reader) throws IOException {
        var isDirectory = entry.kind() == TarEntry.Kind.DIRECTORY;
        if (!isDirectory || !Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
            if (place.equals(tree.root())) {
                throw new InvalidImageException("the root of the image is not a directory");
            }
            ImageRoot.delete(place);
        }
        switch (entry.kind()) {
            case DIRECTORY -> {
                if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createDirectory(place);
                }
                directories.put(place, entry);
            }
            case FILE -> Files.copy(reader.content(), place);
            case SYMBOLIC_LINK -> Files.createSymbolicLink(place, Path.of(entry.link()));
            case HARD_LINK -> {
                link(entry, place);
                added.add(place);
                return;
            }
            case PIPE -> makePipe(place);
            case DEVICE -> {
                return;
            }
        }
        added.add(place);
        describe(place, entry);
    }

    private void link(TarEntry entry, Path place) throws IOException {
        var other = tree.place(entry.link());
        if (!Files.exists(other, LinkOption.NOFOLLOW_LINKS)) {
            throw new InvalidImageException(
                    "%s is a link to %s, which the image does not have"
                            .formatted(entry.name(), entry.link()));
        }
        Files.createLink(place, other);
    }

    /// Java cannot make one.
    private static void makePipe(Path place) throws IOException {
        var process = new ProcessBuilder("mkfifo", place.toString()).inheritIO().start();
        try {
            if (process.waitFor() != 0) {
                throw new IOException("mkfifo ended with " + process.exitValue());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void describe(Path place, TarEntry entry) throws IOException {
        Files.setAttribute(place, "unix:uid", entry.uid(), LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(place, "unix:gid", entry.gid(), LinkOption.NOFOLLOW_LINKS);
        if (entry.kind() != TarEntry.Kind.SYMBOLIC_LINK) {
            // After the owner, whose change takes the right to set the user away.
            Files.setAttribute(place, "unix:mode", entry.mode());
        }
        if (entry.kind() == TarEntry.Kind.FILE) {
            setTime(place, entry);
        }
    }

    private static void setTime(Path place, TarEntry entry) throws IOException {
        var view =
                Files.getFileAttributeView(
                        place, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        // Java opens what it sets the time of, and would wait at a pipe for ever; what was a
        // directory may have become one.
        var isHarmless =
                Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)
                        || Files.isRegularFile(place, LinkOption.NOFOLLOW_LINKS);
        if (view != null && isHarmless) {
            view.setTimes(FileTime.from(entry.time()), null, null);
        }
    }
}
