package dev.berth.server.store.sqlite;

import dev.berth.server.store.Mutation;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.WriteResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Bounded queue of writes for the writer thread, which takes all writes that arrived while it was
/// busy.
final class WriteQueue {

    /// Capacity; further writers block.
    static final int CAPACITY = 10_000;

    /// Limits of one batch.
    static final int MAX_BATCH = 1_000;

    static final long MAX_BATCH_BYTES = 16L << 20;

    // Guarded by this.
    private final ArrayDeque<Request> queued = new ArrayDeque<>();
    private boolean closed;

    /// A mutation and the future of its result.
    record Request(Mutation mutation, CompletableFuture<WriteResult> result) {}

    /// Enqueues a mutation and waits for its result.
    WriteResult submit(Mutation mutation) {
        var request = new Request(mutation, new CompletableFuture<>());
        add(request);
        return StoreException.join(request.result);
    }

    private synchronized void add(Request request) {
        var interrupted = false;
        while (queued.size() >= CAPACITY && !closed) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (closed) {
            throw new StoreException("the store is closed; nothing was written");
        }
        queued.addLast(request);
        notifyAll();
    }

    /// Takes queued writes, at least one; empty only when the queue is closed and drained.
    synchronized List<Request> take() throws InterruptedException {
        while (queued.isEmpty() && !closed) {
            wait();
        }
        var batch = new ArrayList<Request>();
        var bytes = 0L;
        while (!queued.isEmpty() && batch.size() < MAX_BATCH && bytes < MAX_BATCH_BYTES) {
            var request = queued.removeFirst();
            bytes += request.mutation.value().bytes().length;
            batch.add(request);
        }
        notifyAll();
        return batch;
    }

    /// Rejects further writes. Queued ones are still executed.
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
