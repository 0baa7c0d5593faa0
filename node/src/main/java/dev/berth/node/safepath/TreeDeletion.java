package dev.berth.node.safepath;

import java.io.IOException;
import java.util.UUID;

/// Deletes trees that containers have written: of any size and depth, with names that are not valid
/// UTF-8, and with concurrent changes.
///
/// Directories are emptied through descriptors, in batches of names, so that a link in place of a
/// directory is deleted and never entered. The number of open directories is bounded; deeper ones
/// are first moved up to the top of the tree, where they are deleted in turn.
///
/// @param directory parent of the tree
record TreeDeletion(int directory) {

    private static final int MAX_DEPTH = 32;

    /// Entries that are recreated each time are given up in the end.
    private static final int MAX_ATTEMPTS = 1000;

    private static final int READ =
            OpenFlags.DIRECTORY | OpenFlags.NO_FOLLOW | OpenFlags.CLOSE_ON_EXEC;
    private static final long SAME_MOUNT =
            OpenFlags.RESOLVE_NO_SYMLINKS | OpenFlags.RESOLVE_NO_XDEV;

    /// Deletes an entry, if it exists.
    void delete(FileName name) throws IOException {
        delete(directory, name, -1, 0);
    }

    /// @param top descriptor of the tree's root; negative before it is open
    private void delete(int parent, FileName name, int top, int depth) throws IOException {
        for (var attempt = 1; ; attempt++) {
            try {
                LinuxCalls.unlink(parent, name, 0);
                return;
            } catch (LinuxException e) {
                if (e.is(LinuxException.ENOENT)) {
                    return;
                }
                if (!e.is(LinuxException.EISDIR)) {
                    throw e;
                }
            }
            try {
                deleteDirectory(parent, name, top, depth);
                return;
            } catch (LinuxException e) {
                // It became another type of entry, or has new entries.
                var isChanged =
                        e.is(
                                LinuxException.ELOOP,
                                LinuxException.ENOTDIR,
                                LinuxException.ENOENT,
                                LinuxException.EAGAIN,
                                LinuxException.ENOTEMPTY,
                                LinuxException.EEXIST);
                if (!isChanged || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private void deleteDirectory(int parent, FileName name, int top, int depth) throws IOException {
        if (depth >= MAX_DEPTH) {
            LinuxCalls.rename(parent, name, top, FileName.of("deleted-" + UUID.randomUUID()));
            return;
        }
        try (var opened = new Descriptor(open(parent, name))) {
            empty(opened.number(), top < 0 ? opened.number() : top, depth);
        }
        LinuxCalls.unlink(parent, name, LinuxCalls.AT_REMOVEDIR);
    }

    /// Lists names anew after each batch, because deletion moves later ones. It terminates because
    /// nothing creates entries forever: containers have terminated when their volumes are removed.
    private void empty(int directory, int top, int depth) throws IOException {
        var isEmpty = false;
        while (!isEmpty) {
            isEmpty = true;
            try (var reading = new Descriptor(LinuxCalls.openForReading(directory))) {
                for (var name : LinuxCalls.list(reading.number())) {
                    if (!name.isDots()) {
                        isEmpty = false;
                        delete(directory, name, top, depth + 1);
                    }
                }
            }
        }
    }

    /// Opens a directory but no mount point, whose content belongs to another file system.
    private static int open(int parent, FileName name) throws IOException {
        try {
            return LinuxCalls.open2(parent, name, READ, SAME_MOUNT);
        } catch (LinuxException e) {
            if (e.is(LinuxException.EXDEV)) {
                throw new IOException("%s is a mount point; unmount it".formatted(name), e);
            }
            if (!e.is(LinuxException.ENOSYS, LinuxException.EPERM)) {
                throw e;
            }
        }
        var opened = LinuxCalls.open(parent, name, READ, 0);
        if (LinuxCalls.status(opened).device() != LinuxCalls.status(parent).device()) {
            LinuxCalls.close(opened);
            throw new IOException("%s is a mount point; unmount it".formatted(name));
        }
        return opened;
    }
}
