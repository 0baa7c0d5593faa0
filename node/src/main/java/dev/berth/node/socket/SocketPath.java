package dev.berth.node.socket;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/// Paths of unix sockets, for which the kernel has little room.
public final class SocketPath {

    /// What Linux has room for, with the zero at the end.
    public static final int MAX_BYTES = 108;

    private SocketPath() {}

    /// True when the kernel takes the path.
    public static boolean fits(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length < MAX_BYTES;
    }

    /// What is wrong with a path, if anything is.
    public static Optional<String> problem(Path path) {
        return fits(path)
                ? Optional.empty()
                : Optional.of(
                        "the path of socket %s is too long: Linux takes %d bytes"
                                .formatted(path, MAX_BYTES - 1));
    }
}
