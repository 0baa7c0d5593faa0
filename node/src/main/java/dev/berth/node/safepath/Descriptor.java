package dev.berth.node.safepath;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/// An open file descriptor that is closed once.
final class Descriptor implements AutoCloseable {

    private final int number;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    Descriptor(int number) {
        this.number = number;
    }

    /// @throws IOException when it was closed: the number may refer to another file
    int number() throws IOException {
        if (isClosed.get()) {
            throw new IOException("the descriptor is closed");
        }
        return number;
    }

    /// Transfers ownership: closing this object has no effect any more.
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
