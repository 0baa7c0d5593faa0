package dev.berth.node.oci;

import dev.berth.node.runtime.RuntimeFailure;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/// One at a time for each thing. Who takes turns for a sandbox may then do so for its containers,
/// never the other way round.
final class KeyedLocks {

    private static final int LOCKS = 64;

    // Each guards what has the ids that fall to it.
    private final List<ReentrantLock> locks =
            Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

    /// Something to be done.
    interface Work<T> {
        T run() throws RuntimeFailure;
    }

    <T> T take(String id, Work<T> work) throws RuntimeFailure {
        var lock = locks.get(Math.floorMod(id.hashCode(), LOCKS));
        lock.lock();
        try {
            return work.run();
        } finally {
            lock.unlock();
        }
    }
}
