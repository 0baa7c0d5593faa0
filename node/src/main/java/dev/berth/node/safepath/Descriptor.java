package dev.berth.node.safepath;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/// An open descriptor, closed once.
final class Descriptor implements AutoCloseable {

    private final int number;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    Descriptor(int number) {
        this.number = number;
    }

    /// @throws IOException when it was closed: the number may be that of another file
    int number() throws IOException {
        if (isClosed.get()) {
            throw new IOException("the descriptor is closed");
        }
        return number;
    }

    /// Hands the descriptor over: closing this one has no effect any more.
    Descriptor moved() throws IOException {
        var moved = new Descriptor(number());
        isClosed.set(true);
        return moved;
    }

    @Override
    public void close() throws IOException {
        if (isClosed.compareAndSet(false, true)) {
            LinuxCalls.close(number);
        }
    }
}
