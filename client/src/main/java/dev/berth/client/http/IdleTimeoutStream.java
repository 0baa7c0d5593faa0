package dev.berth.client.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/// A stream that is closed when no byte arrives for a while: the peer or the network may be dead
/// without closing the connection.
final class IdleTimeoutStream extends FilterInputStream {

    private final Thread guard;
    private volatile long reads;
    private volatile boolean idle;

    IdleTimeoutStream(InputStream source, Duration limit) {
        super(source);
        this.guard = Thread.ofVirtual().name("idle-guard").start(() -> watch(limit));
    }

    private void watch(Duration limit) {
        try {
            long seen;
            do {
                seen = reads;
                Thread.sleep(limit);
            } while (seen != reads);
            idle = true;
            in.close();
        } catch (InterruptedException | IOException _) {
            // Closed by its reader, or broken anyway.
        }
    }

    /// True when it was closed by the timeout.
    boolean wasIdle() {
        return idle;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes; the guard only reads.
    public int read() throws IOException {
        var read = super.read();
        reads++;
        return read;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // As above.
    public int read(byte[] buffer, int from, int length) throws IOException {
        var read = super.read(buffer, from, length);
        reads++;
        return read;
    }

    @Override
    public void close() throws IOException {
        guard.interrupt();
        super.close();
    }
}
