package dev.berth.node.oci;

import dev.berth.node.runtime.RuntimeFailure;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/// Striped locks by ID. Lock order: a sandbox before its containers, never the reverse.
final class KeyedLocks {

    private static final int LOCKS = 64;

    // Each lock guards the objects whose IDs hash to it.
    private final List<ReentrantLock> locks =
            Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

    /// Work to run under a lock.
    interface Work<T> {
        T run() throws RuntimeFailure;
    }

    <T> T withLock(String id, Work<T> work) throws RuntimeFailure {
        var lock = locks.get(Math.floorMod(id.hashCode(), LOCKS));
        lock.lock();
        try {
            return work.run();
        } finally {
            lock.unlock();
        }
    }
}
