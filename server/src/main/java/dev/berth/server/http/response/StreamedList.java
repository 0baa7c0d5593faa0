package dev.berth.server.http.response;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/// A list that is encoded while it is sent, so that a large one is never in memory as a whole.
public interface StreamedList {

    /// Number of bytes, exact or estimated.
    long size();

    void writeTo(OutputStream to) throws IOException;

    /// The whole list, for small ones.
    default byte[] bytes() {
        var bytes = new ByteArrayOutputStream((int) Math.min(size(), Integer.MAX_VALUE - 8));
        try {
            writeTo(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
