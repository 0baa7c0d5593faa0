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

/// A directory whose files change all at once or not at all.
///
/// The files are in a hidden directory beside the links that have their names, and one link named
/// `..data` says which hidden directory that is: `..1`, then `..2`. Files that are open stay as
/// they were opened. The next hidden directory is written outside of what containers see and
/// renamed into it when it is complete.
///
/// Containers see the directory read-only. All the same, nothing in it is trusted: links are read
/// and never followed, and what is not as it was published is published again.
final class AtomicDirectory {

    private static final String CURRENT = "..data";
    private static final Pattern HIDDEN = Pattern.compile("\\.\\.([0-9]{1,18})");
    private static final int DIRECTORY_MODE = 0755;

    /// What kubelet adds for the group of a read-only volume.
    private static final int GROUP_READS = 0440;

    private static final int GROUP_ENTERS = 02550;

    private final SafeDirectory volume;
    private final SafeDirectory staging;
    private final OptionalLong group;

    /// @param volume what containers see
    /// @param staging on the same file system; no container sees it
    /// @param group that the files belong to
    AtomicDirectory(SafeDirectory volume, SafeDirectory staging, OptionalLong group) {
        this.volume = volume;
        this.staging = staging;
        this.group = group;
    }

    /// Replaces what is there, unless that is the same.
    ///
    /// @param files by their path in the directory
    void write(Map<String, ProjectedFile> files) throws IOException {
        var wanted = checked(files);
        own(volume);
        var old = current();
        if (old.isPresent() && isSame(old.get(), wanted) && hasLinks(wanted)) {
            return;
        }
        var fresh = ".." + (old.map(AtomicDirectory::number).orElse(0L) + 1);
        staging.deleteAll(_ -> true);
        try (var directory = makeDirectory(staging, fresh)) {
            for (var file : wanted.entrySet()) {
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
        link(tops(wanted));
        volume.deleteAll(name -> name.startsWith("..") && !Set.of(CURRENT, fresh).contains(name));
    }

    /// The files as they are to be, with what the group is given.
    private Map<String, ProjectedFile> checked(Map<String, ProjectedFile> files)
            throws IOException {
        var checked = new HashMap<String, ProjectedFile>();
        for (var file : files.entrySet()) {
            var path = file.getKey();
            var names = List.of(path.split("/", -1));
            if (path.startsWith("..") || names.contains("") || names.contains("..")) {
                throw new IOException("\"%s\" is not a path in a volume".formatted(path));
            }
            var payload = file.getValue();
            var mode = payload.mode() | (group.isPresent() ? GROUP_READS : 0);
            checked.put(path, new ProjectedFile(payload.content(), mode));
        }
        return checked;
    }

    /// The hidden directory that has the files now.
    private Optional<String> current() throws IOException {
        return volume.target(CURRENT).filter(name -> HIDDEN.matcher(name).matches());
    }

    private static long number(String hidden) {
        return Long.parseLong(hidden.substring(2));
    }

    /// What cannot be read is not the same, and is published again.
    private boolean isSame(String hidden, Map<String, ProjectedFile> wanted) {
        try (var directory = volume.directory(hidden)) {
            var left = new HashMap<>(wanted);
            return holds(directory, "", left) && left.isEmpty();
        } catch (IOException _) {
            return false;
        }
    }

    /// Whether a directory has nothing but what is wanted, as it is wanted.
    ///
    /// @param left the files that are wanted; those that are there are taken out
    private boolean holds(SafeDirectory directory, String prefix, Map<String, ProjectedFile> left)
            throws IOException {
        for (var name : directory.names()) {
            var status = directory.status(name);
            if (status.filter(FileStatus::isDirectory).isPresent()) {
                try (var inner = directory.directory(name)) {
                    if (!holds(inner, prefix + name + "/", left)) {
                        return false;
                    }
                }
            } else {
                var wanted = left.remove(prefix + name);
                if (wanted == null
                        || status.isEmpty()
                        || !isAs(directory, name, status.get(), wanted)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean isAs(
            SafeDirectory directory, String name, FileStatus status, ProjectedFile wanted)
            throws IOException {
        return status.isRegularFile()
                && status.permissions() == wanted.mode()
                && (group.isEmpty() || status.group() == group.getAsLong())
                && status.size() == wanted.content().size()
                && Arrays.equals(
                        directory.readEnd(name, wanted.content().size()),
                        wanted.content().toByteArray());
    }

    private boolean hasLinks(Map<String, ProjectedFile> wanted) throws IOException {
        for (var top : tops(wanted)) {
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
        own(made);
        return made;
    }

    /// Lets containers read a directory, and gives it to the group of the volume.
    private void own(SafeDirectory directory) throws IOException {
        if (group.isPresent()) {
            directory.setGroup(group.getAsLong());
        }
        directory.setMode(DIRECTORY_MODE | (group.isPresent() ? GROUP_ENTERS : 0));
    }

    private static Set<String> tops(Map<String, ProjectedFile> files) {
        var tops = new HashSet<String>();
        files.keySet().forEach(path -> tops.add(path.split("/", 2)[0]));
        return tops;
    }

    private void link(Set<String> tops) throws IOException {
        for (var top : tops) {
            var target = CURRENT + "/" + top;
            if (!volume.target(top).equals(Optional.of(target))) {
                volume.delete(top);
                volume.makeLink(top, target);
            }
        }
        volume.deleteAll(name -> !name.startsWith("..") && !tops.contains(name));
    }
}
