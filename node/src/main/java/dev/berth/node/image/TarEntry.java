package dev.berth.node.image;

import java.time.Instant;

/// A member of a tar archive, without its content.
///
/// @param link where a link leads; empty for others
/// @param mode the permissions, with those for setting user and group
record TarEntry(
        String name, Kind kind, String link, int mode, int uid, int gid, long size, Instant time) {

    /// What a member is.
    enum Kind {
        FILE,
        DIRECTORY,
        SYMBOLIC_LINK,
        HARD_LINK,
        PIPE,
        DEVICE
    }
}
