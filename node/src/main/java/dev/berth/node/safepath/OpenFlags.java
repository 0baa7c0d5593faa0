package dev.berth.node.safepath;

import java.util.Set;

/// Flags of `openat`, `openat2` and related calls. Two of them depend on the architecture.
final class OpenFlags {

    private static final boolean HAS_ARM_VALUES =
            Set.of("aarch64", "arm", "ppc64", "ppc64le").contains(System.getProperty("os.arch"));

    static final int WRITE_ONLY = 01;
    static final int CREATE = 0100;
    static final int EXCLUSIVE = 0200;
    static final int NON_BLOCKING = 04000;
    static final int CLOSE_ON_EXEC = 02000000;

    /// O_PATH: a descriptor that names a file without opening it. No device is touched, no pipe
    /// blocks.
    static final int PATH_ONLY = 010000000;

    static final int DIRECTORY = HAS_ARM_VALUES ? 040000 : 0200000;
    static final int NO_FOLLOW = HAS_ARM_VALUES ? 0100000 : 0400000;

    /// Opens an entry of any type without following links.
    static final int ENTRY = PATH_ONLY | NO_FOLLOW | CLOSE_ON_EXEC;

    static final int RESOLVE_NO_XDEV = 0x01;
    static final int RESOLVE_NO_MAGICLINKS = 0x02;
    static final int RESOLVE_NO_SYMLINKS = 0x04;
    static final int RESOLVE_BENEATH = 0x08;

    private OpenFlags() {}
}
