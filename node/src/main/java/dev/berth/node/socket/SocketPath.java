package dev.berth.node.socket;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/// Length limit of unix socket paths.
public final class SocketPath {

    /// The limit of Linux, including the terminating zero.
    public static final int MAX_BYTES = 108;

    private SocketPath() {}

    /// True if the path is short enough.
    public static boolean fits(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length < MAX_BYTES;
    }

    /// Why a path is too long, if it is.
    public static Optional<String> problem(Path path) {
        return fits(path)
                ? Optional.empty()
                : Optional.of(
                        "the path of socket %s is too long: the limit of Linux is %d bytes"
                                .formatted(path, MAX_BYTES - 1));
    }
}
