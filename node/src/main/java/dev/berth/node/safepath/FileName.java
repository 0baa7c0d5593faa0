package dev.berth.node.safepath;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// One name of a directory, as the bytes that the kernel has: containers may choose names that are
/// no text.
final class FileName {

    private final byte[] bytes;

    /// @param bytes as a directory lists them
    FileName(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    /// @throws IOException for what is not the name of an entry: a path, `.`, `..`
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

    /// Not an entry of its own, but the directory or the one above.
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
