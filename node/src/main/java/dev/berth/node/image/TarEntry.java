package dev.berth.node.image;

import java.time.Instant;

/// A member of a tar archive, without its content.
///
/// @param link target of a link; empty for others
/// @param mode permissions, including setuid and setgid bits
record TarEntry(
        String name, Kind kind, String link, int mode, int uid, int gid, long size, Instant time) {

    /// Type of a member.
    enum Kind {
        FILE,
        DIRECTORY,
        SYMBOLIC_LINK,
        HARD_LINK,
        PIPE,
        DEVICE
    }
}
