package dev.berth.server.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Writes that wait for the one thread that makes them, which takes all that have gathered while it
/// was busy.
final class WriteQueue {

    /// Who comes when so many wait has to wait outside.
    static final int LONGEST = 10_000;

    /// What one transaction may hold.
    static final int BATCH = 1_000;

    static final long BATCH_BYTES = 16L << 20;

    // Guarded by this.
    private final ArrayDeque<Request> waiting = new ArrayDeque<>();
    private boolean closed;

    /// A write, and where its answer goes.
    record Request(Mutation mutation, CompletableFuture<WriteResult> answer) {}

    /// Waits for the answer.
    WriteResult submit(Mutation mutation) {
        var request = new Request(mutation, new CompletableFuture<>());
        add(request);
        return StoreException.join(request.answer);
    }

    private synchronized void add(Request request) {
        var interrupted = false;
        while (waiting.size() >= LONGEST && !closed) {
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
        waiting.addLast(request);
        notifyAll();
    }

    /// What waits, at least one; nothing when there is none and never will be.
    synchronized List<Request> take() throws InterruptedException {
        while (waiting.isEmpty() && !closed) {
            wait();
        }
        var batch = new ArrayList<Request>();
        var bytes = 0L;
        while (!waiting.isEmpty() && batch.size() < BATCH && bytes < BATCH_BYTES) {
            var request = waiting.removeFirst();
            bytes += request.mutation.value().bytes().length;
            batch.add(request);
        }
        notifyAll();
        return batch;
    }

    /// Lets nobody in any more. Who waits is still served.
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
