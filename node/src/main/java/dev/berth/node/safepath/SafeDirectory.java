package dev.berth.node.safepath;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// A directory that containers may be able to write, held by a descriptor.
///
/// Entries are addressed by single names. An entry that is a symbolic link is never followed,
/// except by [#resolve] and [#makeDirectories], which stay below the directory.
public final class SafeDirectory implements AutoCloseable {

    private static final int HOLD = OpenFlags.ENTRY | OpenFlags.DIRECTORY;
    private static final int NEW_FILE =
            OpenFlags.WRITE_ONLY
                    | OpenFlags.CREATE
                    | OpenFlags.EXCLUSIVE
                    | OpenFlags.NO_FOLLOW
                    | OpenFlags.CLOSE_ON_EXEC;

    /// Opening a pipe must not block until the container opens its other end.
    private static final int READ =
            OpenFlags.NO_FOLLOW | OpenFlags.NON_BLOCKING | OpenFlags.CLOSE_ON_EXEC;

    private static final int OWNER_ONLY = 0700;

    private final Descriptor descriptor;
    private final PathResolver resolver;

    private SafeDirectory(Descriptor descriptor, PathResolver resolver) {
        this.descriptor = descriptor;
        this.resolver = resolver;
    }

    /// Opens a directory of the agent.
    ///
    /// @param path that no container can change; its own links are followed
    public static SafeDirectory open(Path path) throws IOException {
        return open(path, PathResolver.standard());
    }

    static SafeDirectory open(Path path, PathResolver resolver) throws IOException {
        var flags = OpenFlags.PATH_ONLY | OpenFlags.DIRECTORY | OpenFlags.CLOSE_ON_EXEC;
        return new SafeDirectory(
                new Descriptor(LinuxCalls.open(path.toAbsolutePath().toString(), flags)), resolver);
    }

    /// Opens a subdirectory.
    public SafeDirectory directory(String name) throws IOException {
        return new SafeDirectory(
                new Descriptor(LinuxCalls.open(number(), FileName.of(name), HOLD, 0)), resolver);
    }

    /// Opens the target of a path. Follows links that stay below this directory.
    ///
    /// @param path without `..`
    /// @throws IOException when it leads out of the directory or does not exist
    public SafePath resolve(String path) throws IOException {
        return new SafePath(resolver.resolve(descriptor, String.join("/", names(path))));
    }

    /// Opens the target of a path, as [#resolve] does, and creates missing directories.
    ///
    /// @param mode of new directories
    public SafePath makeDirectories(String path, int mode) throws IOException {
        var names = names(path);
        var at = new Descriptor(LinuxCalls.openForReading(number()));
        try {
            for (var i = 0; i < names.size(); i++) {
                var next = next(at, String.join("/", names.subList(0, i + 1)), names.get(i), mode);
                at.close();
                at = next;
            }
            return new SafePath(at.moved());
        } finally {
            at.close();
        }
    }

    private Descriptor next(Descriptor at, String path, String last, int mode) throws IOException {
        try {
            return resolver.resolve(descriptor, path);
        } catch (LinuxException e) {
            if (!e.is(LinuxException.ENOENT)) {
                throw e;
            }
        }
        try {
            return create(at.number(), last, mode);
        } catch (LinuxException e) {
            if (e.is(LinuxException.EEXIST)) {
                throw new IOException("\"%s\" is a link that leads to nothing".formatted(path), e);
            }
            throw e;
        }
    }

    private static Descriptor create(int parent, String name, int mode) throws IOException {
        LinuxCalls.makeDirectory(parent, FileName.of(name), OWNER_ONLY);
        var created = new Descriptor(LinuxCalls.open(parent, FileName.of(name), HOLD, 0));
        try (created) {
            LinuxCalls.setMode(created.number(), mode);
            return created.moved();
        }
    }

    private static List<String> names(String path) throws IOException {
        var names = new ArrayList<String>();
        for (var name : path.split("/", -1)) {
            if (!name.isEmpty() && !name.equals(".")) {
                names.add(FileName.of(name).toString());
            }
        }
        if (path.startsWith("/") || names.isEmpty()) {
            throw new IOException("\"%s\" is not a path below a directory".formatted(path));
        }
        return names;
    }

    /// Opens an entry without following a link.
    public SafePath entry(String name) throws IOException {
        return new SafePath(hold(name));
    }

    private Descriptor hold(String name) throws IOException {
        return new Descriptor(LinuxCalls.open(number(), FileName.of(name), OpenFlags.ENTRY, 0));
    }

    /// The status of an entry; empty if it does not exist.
    public Optional<FileStatus> status(String name) throws IOException {
        try (var entry = entry(name)) {
            return Optional.of(entry.status());
        } catch (LinuxException e) {
            if (e.is(LinuxException.ENOENT)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    public FileStatus status() throws IOException {
        return LinuxCalls.status(number());
    }

    /// Sets the permissions of the directory itself.
    public void setMode(int mode) throws IOException {
        LinuxCalls.setMode(number(), mode);
    }

    public void setGroup(long group) throws IOException {
        LinuxCalls.setGroup(number(), group);
    }

    /// Creates a directory, which must not exist.
    public SafeDirectory makeDirectory(String name, int mode) throws IOException {
        return new SafeDirectory(create(number(), name, mode), resolver);
    }

    /// Creates a file, which must not exist.
    public void makeFile(String name, byte[] content, int mode) throws IOException {
        try (var file =
                new Descriptor(LinuxCalls.open(number(), FileName.of(name), NEW_FILE, 0600))) {
            LinuxCalls.write(file.number(), content);
            LinuxCalls.setMode(file.number(), mode);
        }
    }

    /// Creates a symbolic link, which must not exist.
    public void makeLink(String name, String target) throws IOException {
        LinuxCalls.makeLink(number(), FileName.of(name), target);
    }

    /// The target of a symbolic link; empty for other entries.
    public Optional<String> target(String name) throws IOException {
        try (var entry = hold(name)) {
            return LinuxCalls.status(entry.number()).isLink()
                    ? Optional.of(LinuxCalls.target(entry.number()))
                    : Optional.empty();
        } catch (LinuxException e) {
            if (e.is(LinuxException.ENOENT)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /// The last bytes of a file.
    ///
    /// @throws IOException also when it is not a regular file
    public byte[] readEnd(String name, int maxBytes) throws IOException {
        try (var file = new Descriptor(LinuxCalls.open(number(), FileName.of(name), READ, 0))) {
            var status = LinuxCalls.status(file.number());
            if (!status.isRegularFile()) {
                throw new IOException("%s is not a regular file".formatted(name));
            }
            return LinuxCalls.read(file.number(), Math.max(0, status.size() - maxBytes), maxBytes);
        }
    }

    /// Renames an entry atomically, within this directory or to another one. Replaces an existing
    /// entry, unless it is a non-empty directory.
    public void rename(String name, SafeDirectory directory, String newName) throws IOException {
        LinuxCalls.rename(number(), FileName.of(name), directory.number(), FileName.of(newName));
    }

    /// The names of all entries.
    public List<String> names() throws IOException {
        var names = new ArrayList<String>();
        try (var reading = new Descriptor(LinuxCalls.openForReading(number()))) {
            for (var some = LinuxCalls.list(reading.number());
                    !some.isEmpty();
                    some = LinuxCalls.list(reading.number())) {
                some.stream()
                        .filter(name -> !name.isDots())
                        .forEach(name -> names.add(name.toString()));
            }
        }
        return names;
    }

    /// Deletes an entry with everything below it, if it exists. Follows no links and enters no
    /// mounts.
    public void delete(String name) throws IOException {
        new TreeDeletion(number()).delete(FileName.of(name));
    }

    /// Deletes a tree of the agent that a container may have written.
    ///
    /// @param path whose parent directory no container can change
    public static void deleteTree(Path path) throws IOException {
        var absolute = path.toAbsolutePath();
        try (var parent = open(absolute.resolveSibling(""))) {
            parent.delete(String.valueOf(absolute.getFileName()));
        }
    }

    /// Deletes the matching entries, each with everything below it.
    public void deleteAll(Predicate<String> names) throws IOException {
        for (var name : names()) {
            if (names.test(name)) {
                delete(name);
            }
        }
    }

    private int number() throws IOException {
        return descriptor.number();
    }

    @Override
    public void close() throws IOException {
        descriptor.close();
    }
}
