package dev.berth.node.safepath;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// System calls on directory descriptors, for which Java has no methods. All native calls of the
/// node are here; each throws [LinuxException] on failure.
final class LinuxCalls {

    static final int AT_REMOVEDIR = 0x200;

    static final long MS_BIND = 4096;
    static final int MNT_DETACH = 2;
    static final int UMOUNT_NOFOLLOW = 8;

    /// Instead of a directory descriptor, for absolute paths.
    private static final int AT_FDCWD = -100;

    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int ITSELF = AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW;
    private static final int UNCHANGED = -1;

    /// The same number on all architectures.
    private static final long OPENAT2_NUMBER = 437;

    private static final long OPEN_HOW_BYTES = 24;
    private static final int STATX_BYTES = 256;
    private static final int STATX_BASIC = 0x7ff;
    private static final long MAX_LINK_BYTES = 4096;
    private static final long LIST_BYTES = 32 * 1024;

    private static final NativeFunction SYSCALL =
            NativeFunction.variadic(
                    "syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
    private static final NativeFunction OPENAT =
            NativeFunction.variadic("openat", 3, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    private static final NativeFunction CLOSE = NativeFunction.of("close", JAVA_INT, JAVA_INT);
    private static final NativeFunction PREAD =
            NativeFunction.of("pread", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
    private static final NativeFunction WRITE =
            NativeFunction.of("write", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final NativeFunction GETDENTS =
            NativeFunction.of("getdents64", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final NativeFunction STATX =
            NativeFunction.of("statx", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
    private static final NativeFunction CHMOD =
            NativeFunction.of("chmod", JAVA_INT, ADDRESS, JAVA_INT);
    private static final NativeFunction FCHOWNAT =
            NativeFunction.of(
                    "fchownat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final NativeFunction MKDIRAT =
            NativeFunction.of("mkdirat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final NativeFunction SYMLINKAT =
            NativeFunction.of("symlinkat", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
    private static final NativeFunction READLINKAT =
            NativeFunction.of("readlinkat", JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
    private static final NativeFunction RENAMEAT =
            NativeFunction.of("renameat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
    private static final NativeFunction UNLINKAT =
            NativeFunction.of("unlinkat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final NativeFunction MOUNT =
            NativeFunction.of("mount", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
    private static final NativeFunction UMOUNT =
            NativeFunction.of("umount2", JAVA_INT, ADDRESS, JAVA_INT);

    private LinuxCalls() {}

    /// Opens a path relative to a directory, with `openat2`.
    ///
    /// @param resolve flags of what the kernel refuses
    static int open2(int directory, String path, int flags, long resolve) throws IOException {
        return openat2(directory, path, flags, resolve);
    }

    static int open2(int directory, FileName name, int flags, long resolve) throws IOException {
        return openat2(directory, name, flags, resolve);
    }

    private static int openat2(int directory, Object path, int flags, long resolve)
            throws IOException {
        try (var arena = Arena.ofConfined()) {
            var how = arena.allocate(OPEN_HOW_BYTES, Long.BYTES);
            how.set(JAVA_LONG, 0, flags);
            how.set(JAVA_LONG, 2L * Long.BYTES, resolve);
            return (int) SYSCALL.call(OPENAT2_NUMBER, directory, path, how, OPEN_HOW_BYTES);
        }
    }

    /// Opens a path of the agent.
    static int open(String path, int flags) throws IOException {
        return (int) OPENAT.call(AT_FDCWD, path, flags, 0);
    }

    static int open(int directory, FileName name, int flags, int mode) throws IOException {
        return (int) OPENAT.call(directory, name, flags, mode);
    }

    /// Another descriptor of a directory, opened for reading.
    static int openForReading(int directory) throws IOException {
        var flags = OpenFlags.DIRECTORY | OpenFlags.CLOSE_ON_EXEC;
        return (int) OPENAT.call(directory, ".", flags, 0);
    }

    /// Not repeated after EINTR: the descriptor is closed in any case, and its number may refer to
    /// another file by then.
    static void close(int descriptor) throws IOException {
        CLOSE.callOnce(descriptor);
    }

    /// Reads a file from a position, at most to the given length.
    static byte[] read(int file, long from, int maxBytes) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(maxBytes + 1L);
            var got = 0L;
            while (got < maxBytes) {
                var count = PREAD.call(file, buffer.asSlice(got), maxBytes - got, from + got);
                if (count == 0) {
                    break;
                }
                got += count;
            }
            return buffer.asSlice(0, got).toArray(JAVA_BYTE);
        }
    }

    static void write(int file, byte[] content) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(content.length + 1L);
            MemorySegment.copy(content, 0, buffer, JAVA_BYTE, 0, content.length);
            var done = 0L;
            while (done < content.length) {
                done += WRITE.call(file, buffer.asSlice(done), content.length - done);
            }
        }
    }

    /// The next names of a directory, in batches; empty at the end.
    ///
    /// @param directory opened for reading
    static List<FileName> list(int directory) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(LIST_BYTES, Long.BYTES);
            var bytes = GETDENTS.call(directory, buffer, LIST_BYTES);
            var names = new ArrayList<FileName>();
            var at = 0L;
            while (at < bytes) {
                // Layout of an entry: inode and offset of 8 bytes each, length of 2, type of 1,
                // name.
                var length = Short.toUnsignedInt(buffer.get(JAVA_SHORT, at + 16));
                var name = buffer.asSlice(at + 19, length - 19L);
                var end = 0L;
                while (name.get(JAVA_BYTE, end) != 0) {
                    end++;
                }
                names.add(new FileName(name.asSlice(0, end).toArray(JAVA_BYTE)));
                at += length;
            }
            return names;
        }
    }

    static FileStatus status(int descriptor) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var status = arena.allocate(STATX_BYTES, Long.BYTES);
            STATX.call(descriptor, "", ITSELF, STATX_BASIC, status);
            return new FileStatus(
                    Short.toUnsignedInt(status.get(JAVA_SHORT, 28)),
                    Integer.toUnsignedLong(status.get(JAVA_INT, 20)),
                    Integer.toUnsignedLong(status.get(JAVA_INT, 24)),
                    status.get(JAVA_LONG, 40),
                    ((long) status.get(JAVA_INT, 136) << Integer.SIZE)
                            | Integer.toUnsignedLong(status.get(JAVA_INT, 140)),
                    status.get(JAVA_LONG, 32));
        }
    }

    /// Through `/proc`, because fchmod does not accept O_PATH descriptors.
    static void setMode(int descriptor, int mode) throws IOException {
        CHMOD.call(pathOf(descriptor), mode);
    }

    static void setGroup(int descriptor, long group) throws IOException {
        FCHOWNAT.call(descriptor, "", UNCHANGED, (int) group, ITSELF);
    }

    static void makeDirectory(int directory, FileName name, int mode) throws IOException {
        MKDIRAT.call(directory, name, mode);
    }

    static void makeLink(int directory, FileName name, String target) throws IOException {
        SYMLINKAT.call(target, directory, name);
    }

    /// The target of a symbolic link.
    ///
    /// @param link a descriptor of the link itself
    static String target(int link) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(MAX_LINK_BYTES);
            var length = READLINKAT.call(link, "", buffer, MAX_LINK_BYTES);
            return new FileName(buffer.asSlice(0, length).toArray(JAVA_BYTE)).toString();
        }
    }

    static void rename(int directory, FileName name, int newDirectory, FileName newName)
            throws IOException {
        RENAMEAT.call(directory, name, newDirectory, newName);
    }

    /// @param flags 0, or [#AT_REMOVEDIR]
    static void unlink(int directory, FileName name, int flags) throws IOException {
        UNLINKAT.call(directory, name, flags);
    }

    static void mount(String source, String point, String type, long flags, String options)
            throws IOException {
        MOUNT.call(source, point, type, flags, options);
    }

    static void unmount(String point, int flags) throws IOException {
        UMOUNT.call(point, flags);
    }

    /// The `/proc` path of a descriptor of this process.
    static String pathOf(int descriptor) {
        return "/proc/self/fd/" + descriptor;
    }
}
