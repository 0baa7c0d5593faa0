package dev.berth.node.safepath;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/// An attacker in a container: exchanges two entries of a volume as fast as it can, such as a
/// directory and a link.
public final class LinkSwap implements AutoCloseable {

    private static final NativeFunction RENAMEAT2 =
            NativeFunction.of(
                    "renameat2", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
    private static final int AT_FDCWD = -100;
    private static final int EXCHANGE = 2;

    private final AtomicBoolean isOver = new AtomicBoolean();
    private final Thread thread;

    public LinkSwap(Path one, Path other) {
        this.thread = Thread.ofPlatform().daemon().start(() -> swap(one, other));
    }

    private void swap(Path one, Path other) {
        while (!isOver.get()) {
            try {
                exchange(one, other);
            } catch (IOException _) {
                // One of them does not exist at the moment.
                Thread.onSpinWait();
            }
        }
    }

    public static void exchange(Path one, Path other) throws IOException {
        RENAMEAT2.call(AT_FDCWD, one.toString(), AT_FDCWD, other.toString(), EXCHANGE);
    }

    @Override
    public void close() {
        isOver.set(true);
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
