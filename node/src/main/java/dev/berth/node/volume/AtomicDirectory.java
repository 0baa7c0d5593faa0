package dev.berth.node.volume;

import dev.berth.node.safepath.FileStatus;
import dev.berth.node.safepath.SafeDirectory;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/// A directory whose files change atomically, like the kubelet's AtomicWriter.
///
/// The files are in a hidden directory beside symbolic links with their names, and the link
/// `..data` points to the current hidden directory: `..1`, then `..2`. Open files keep their
/// content. The next hidden directory is written outside of the volume and renamed into it when it
/// is complete.
///
/// Containers see the directory read-only. All the same, its content is not trusted: links are read
/// and never followed, and content that differs from what was published is published again.
final class AtomicDirectory {

    private static final String CURRENT = "..data";
    private static final Pattern HIDDEN = Pattern.compile("\\.\\.([0-9]{1,18})");
    private static final int DIRECTORY_MODE = 0755;

    /// Permissions that the kubelet adds for the group of a read-only volume.
    private static final int GROUP_READ = 0440;

    private static final int GROUP_DIRECTORY = 02550;

    private final SafeDirectory volume;
    private final SafeDirectory staging;
    private final OptionalLong group;

    /// @param volume the directory that containers see
    /// @param staging on the same file system; no container sees it
    /// @param group owner of the files
    AtomicDirectory(SafeDirectory volume, SafeDirectory staging, OptionalLong group) {
        this.volume = volume;
        this.staging = staging;
        this.group = group;
    }

    /// Replaces the content unless it is the same.
    ///
    /// @param files by their path in the directory
    void write(Map<String, ProjectedFile> files) throws IOException {
        var expected = checked(files);
        setOwner(volume);
        var old = current();
        if (old.isPresent() && isSame(old.get(), expected) && hasLinks(expected)) {
            return;
        }
        var fresh = ".." + (old.map(AtomicDirectory::number).orElse(0L) + 1);
        staging.deleteAll(_ -> true);
        try (var directory = makeDirectory(staging, fresh)) {
            for (var file : expected.entrySet()) {
                write(directory, List.of(file.getKey().split("/", -1)), file.getValue());
            }
        }
        staging.makeLink(CURRENT, fresh);
        volume.delete(fresh);
        staging.rename(fresh, volume, fresh);
        if (volume.status(CURRENT).filter(FileStatus::isDirectory).isPresent()) {
            volume.delete(CURRENT);
        }
        staging.rename(CURRENT, volume, CURRENT);
        link(topNames(expected));
        volume.deleteAll(name -> name.startsWith("..") && !Set.of(CURRENT, fresh).contains(name));
    }

    /// The files with the permissions of the group.
    private Map<String, ProjectedFile> checked(Map<String, ProjectedFile> files)
            throws IOException {
        var checked = new HashMap<String, ProjectedFile>();
        for (var file : files.entrySet()) {
            var path = file.getKey();
            var names = List.of(path.split("/", -1));
            if (path.startsWith("..") || names.contains("") || names.contains("..")) {
                throw new IOException("\"%s\" is not a path in a volume".formatted(path));
            }
            var projected = file.getValue();
            var mode = projected.mode() | (group.isPresent() ? GROUP_READ : 0);
            checked.put(path, new ProjectedFile(projected.content(), mode));
        }
        return checked;
    }

    /// The current hidden directory.
    private Optional<String> current() throws IOException {
        return volume.target(CURRENT).filter(name -> HIDDEN.matcher(name).matches());
    }

    private static long number(String hidden) {
        return Long.parseLong(hidden.substring(2));
    }

    /// True if the current content equals the files. Unreadable content is different, and is
    /// published again.
    private boolean isSame(String hidden, Map<String, ProjectedFile> expected) {
        try (var directory = volume.directory(hidden)) {
            var left = new HashMap<>(expected);
            return matchesAll(directory, "", left) && left.isEmpty();
        } catch (IOException _) {
            return false;
        }
    }

    /// True if a directory has nothing but the expected files, with the expected content and
    /// permissions.
    ///
    /// @param left expected files; those that were found are removed
    private boolean matchesAll(
            SafeDirectory directory, String prefix, Map<String, ProjectedFile> left)
            throws IOException {
        for (var name : directory.names()) {
            var status = directory.status(name);
            if (status.filter(FileStatus::isDirectory).isPresent()) {
                try (var inner = directory.directory(name)) {
                    if (!matchesAll(inner, prefix + name + "/", left)) {
                        return false;
                    }
                }
            } else {
                var expected = left.remove(prefix + name);
                if (expected == null
                        || status.isEmpty()
                        || !matches(directory, name, status.get(), expected)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean matches(
            SafeDirectory directory, String name, FileStatus status, ProjectedFile expected)
            throws IOException {
        return status.isRegularFile()
                && status.permissions() == expected.mode()
                && (group.isEmpty() || status.group() == group.getAsLong())
                && status.size() == expected.content().size()
                && Arrays.equals(
                        directory.readEnd(name, expected.content().size()),
                        expected.content().toByteArray());
    }

    private boolean hasLinks(Map<String, ProjectedFile> expected) throws IOException {
        for (var top : topNames(expected)) {
            if (!volume.target(top).equals(Optional.of(CURRENT + "/" + top))) {
                return false;
            }
        }
        return true;
    }

    private void write(SafeDirectory directory, List<String> names, ProjectedFile file)
            throws IOException {
        var name = names.getFirst();
        if (names.size() > 1) {
            try (var inner = inner(directory, name)) {
                write(inner, names.subList(1, names.size()), file);
            }
            return;
        }
        directory.makeFile(name, file.content().toByteArray(), file.mode());
        if (group.isPresent()) {
            try (var made = directory.entry(name)) {
                made.setGroup(group.getAsLong());
            }
        }
    }

    private SafeDirectory inner(SafeDirectory directory, String name) throws IOException {
        return directory.status(name).isPresent()
                ? directory.directory(name)
                : makeDirectory(directory, name);
    }

    private SafeDirectory makeDirectory(SafeDirectory parent, String name) throws IOException {
        var made = parent.makeDirectory(name, DIRECTORY_MODE);
        setOwner(made);
        return made;
    }

    /// Makes a directory readable for containers and sets the group of the volume.
    private void setOwner(SafeDirectory directory) throws IOException {
        if (group.isPresent()) {
            directory.setGroup(group.getAsLong());
        }
        directory.setMode(DIRECTORY_MODE | (group.isPresent() ? GROUP_DIRECTORY : 0));
    }

    private static Set<String> topNames(Map<String, ProjectedFile> files) {
        var topNames = new HashSet<String>();
        files.keySet().forEach(path -> topNames.add(path.split("/", 2)[0]));
        return topNames;
    }

    private void link(Set<String> topNames) throws IOException {
        for (var top : topNames) {
            var target = CURRENT + "/" + top;
            if (!volume.target(top).equals(Optional.of(target))) {
                volume.delete(top);
                volume.makeLink(top, target);
            }
        }
        volume.deleteAll(name -> !name.startsWith("..") && !topNames.contains(name));
    }
}
