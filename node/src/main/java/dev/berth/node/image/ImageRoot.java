package dev.berth.node.image;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A directory that symbolic links must not lead out of: names are resolved as for a process that
/// has it as its root.
///
/// Links are followed one by one, because an image can have `etc -> /etc` in one layer and
/// `etc/passwd` in the next. No other process may change the tree meanwhile.
public final class ImageRoot {

    /// The limit of Linux.
    private static final int MAX_LINKS = 40;

    private final Path root;
    private long createdDirectories;

    public ImageRoot(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    public Path root() {
        return root;
    }

    /// The path of an archive member. Creates missing parent directories and does not follow the
    /// last link.
    Path memberPath(String name) throws IOException {
        return walk(name, false, true);
    }

    /// Resolves a name; the target need not exist.
    public Path find(String name) throws IOException {
        return walk(name, true, false);
    }

    private Path walk(String name, boolean followsLast, boolean createsDirectories)
            throws IOException {
        var left = new ArrayDeque<String>();
        for (var step : name.split("/", -1)) {
            if (step.equals("..")) {
                throw new InvalidImageException(
                        "the name \"%s\" has a \"..\", which could lead out of the image"
                                .formatted(name));
            }
            left.addLast(step);
        }
        if (name.indexOf(0) >= 0) {
            throw new InvalidImageException("a name has a zero byte in it");
        }
        var at = root;
        var links = 0;
        while (!left.isEmpty()) {
            var step = left.removeFirst();
            if (step.isEmpty() || step.equals(".")) {
                continue;
            }
            if (step.equals("..")) {
                at = parent(at, name);
                continue;
            }
            var next = at.resolve(step);
            var isLast = left.stream().allMatch(rest -> rest.isEmpty() || rest.equals("."));
            if (Files.isSymbolicLink(next) && (!isLast || followsLast)) {
                if (++links > MAX_LINKS) {
                    throw new InvalidImageException(
                            "\"%s\" goes through too many links".formatted(name));
                }
                at = follow(next, at, left);
                continue;
            }
            if (createsDirectories && !isLast) {
                createDirectory(next, name);
            }
            at = next;
        }
        return at;
    }

    /// A process at its root stays there with `..`; an image that tries is refused.
    private Path parent(Path at, String name) throws InvalidImageException {
        var above = at.getParent();
        if (at.equals(root) || above == null) {
            throw new InvalidImageException(
                    "\"%s\" goes through a link that leads out of the image".formatted(name));
        }
        return above;
    }

    private Path follow(Path link, Path at, Deque<String> left) throws IOException {
        var target = Files.readSymbolicLink(link).toString();
        var steps = List.of(target.split("/", -1));
        steps.reversed().forEach(left::addFirst);
        return target.startsWith("/") ? root : at;
    }

    /// The number of parent directories that were created.
    long createdDirectories() {
        return createdDirectories;
    }

    private void createDirectory(Path directory, String name) throws IOException {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(directory);
            createdDirectories++;
        } else if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new InvalidImageException(
                    "\"%s\" is below something that is not a directory".formatted(name));
        }
    }

    /// Deletes a file or directory tree without following links.
    public static void delete(Path what) throws IOException {
        if (!Files.exists(what, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(
                what,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.deleteIfExists(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path directory, @Nullable IOException failure) throws IOException {
                        if (failure != null) {
                            throw failure;
                        }
                        Files.deleteIfExists(directory);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
