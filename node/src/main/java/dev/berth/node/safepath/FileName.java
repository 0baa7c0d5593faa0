package dev.berth.node.safepath;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// A name in a directory, as raw bytes: containers may choose names that are not valid UTF-8.
final class FileName {

    private final byte[] bytes;

    /// @param bytes as listed by the kernel
    FileName(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    /// @throws IOException for anything but the name of an entry: a path, `.`, `..`
    static FileName of(String name) throws IOException {
        if (name.isEmpty()
                || name.equals(".")
                || name.equals("..")
                || name.indexOf('/') >= 0
                || name.indexOf(0) >= 0) {
            throw new IOException("\"%s\" is not a file name".formatted(name));
        }
        return new FileName(name.getBytes(StandardCharsets.UTF_8));
    }

    /// True for `.` and `..`.
    boolean isDots() {
        return (bytes.length == 1 && bytes[0] == '.')
                || (bytes.length == 2 && bytes[0] == '.' && bytes[1] == '.');
    }

    byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
