package dev.berth.server;

import dev.berth.model.workqueue.Backoff;
import dev.berth.model.workqueue.ControlLoopRunner;
import dev.berth.model.workqueue.WorkQueueLoop;
import dev.berth.model.workqueue.WorkResult;
import dev.berth.server.store.ObjectKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/// Queue of quotas to recount: each is queued at most once. The first change is recounted at once,
/// later changes are batched.
final class QuotaRecounter extends WorkQueueLoop<ObjectKey> implements AutoCloseable {

    /// Delay between batches: otherwise deleting the objects of a namespace would list it once for
    /// each object.
    private static final Duration BATCH_DELAY = Duration.ofMillis(50);

    private final Consumer<ObjectKey> count;
    private volatile Optional<ControlLoopRunner> runner = Optional.empty();
    private volatile Instant nextBatch = Instant.MIN;

    QuotaRecounter(Consumer<ObjectKey> count) {
        super(Backoff.DEFAULT);
        this.count = count;
    }

    /// Starts to recount in the background.
    void start(Clock clock) {
        runner = Optional.of(ControlLoopRunner.start("quotas", this, 1, clock));
    }

    /// Recounts a quota: in the background, or at once before [#start].
    void recount(ObjectKey quota) {
        if (runner.isPresent()) {
            addAt(quota, nextBatch);
        } else {
            count.accept(quota);
        }
    }

    @Override
    protected WorkResult reconcile(ObjectKey quota, Instant now) {
        nextBatch = now.plus(BATCH_DELAY);
        count.accept(quota);
        return WorkResult.DONE;
    }

    @Override
    public void close() {
        stop();
        runner.ifPresent(ControlLoopRunner::close);
    }
}
