package dev.berth.model.codec.token;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// A stream that records whether it failed, to distinguish I/O errors from malformed text.
public final class FailureTrackingStream extends FilterInputStream {

    private boolean failed;

    public FailureTrackingStream(InputStream source) {
        super(source);
    }

    public boolean hasFailed() {
        return failed;
    }

    @Override
    public int read() throws IOException {
        try {
            return super.read();
        } catch (IOException e) {
            failed = true;
            throw e;
        }
    }

    @Override
    public int read(byte[] buffer, int from, int length) throws IOException {
        try {
            return super.read(buffer, from, length);
        } catch (IOException e) {
            failed = true;
            throw e;
        }
    }
}
