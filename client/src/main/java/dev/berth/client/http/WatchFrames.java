package dev.berth.client.http;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/// Reads the frames of a protobuf watch: four bytes of length in big-endian order, and a message.
final class WatchFrames {

    private final DataInputStream source;

    WatchFrames(InputStream source) {
        this.source = new DataInputStream(new BufferedInputStream(source));
    }

    /// The next message; empty at the end. A truncated last message is dropped.
    Optional<byte[]> next() throws IOException {
        try {
            var length = source.readInt();
            if (length < 0 || length > LineReader.MAX_BYTES) {
                throw new IOException("an event of %d bytes".formatted(length & 0xffffffffL));
            }
            var message = new byte[length];
            source.readFully(message);
            return Optional.of(message);
        } catch (EOFException _) {
            return Optional.empty();
        }
    }
}
