package dev.berth.model.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class WorkQueueLoopTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(1), Duration.ofMillis(4));

    /// A loop whose work is a function.
    private static final class Loop extends WorkQueueLoop<String> {
        private final Function<String, WorkResult> work;
        private boolean isReady = true;

        private Loop(Function<String, WorkResult> work) {
            super(BACKOFF);
            this.work = work;
        }

        @Override
        protected WorkResult reconcile(String key, Instant now) {
            return work.apply(key);
        }

        @Override
        protected boolean isReady() {
            return isReady;
        }
    }

    private static Function<String, WorkResult> recordIn(List<String> done) {
        return key -> {
            done.add(key);
            return WorkResult.DONE;
        };
    }

    @Test
    void failuresExceptionsAndErrorsAreRetriedAfterTheirBackoff() {
        var attempts = new ArrayList<String>();
        var loop =
                new Loop(key -> {
                    attempts.add(key);
                    return switch (attempts.size()) {
                        case 1 -> new WorkResult.Retry("not yet");
                        case 2 -> throw new IllegalStateException("not yet either");
                        case 3 -> throw new StackOverflowError();
                        case 4 -> new WorkResult.RequeueAt(NOW.plusSeconds(9));
                        default -> WorkResult.DONE;
                    };
                });
        loop.addAt("a", NOW);
        for (var millis : new long[] {0, 1, 3, 7}) {
            assertThat(loop.nextDue()).contains(NOW.plusMillis(millis));
            assertThat(loop.step(NOW.plusMillis(millis))).isTrue();
            assertThat(loop.step(NOW.plusMillis(millis))).isFalse();
        }
        assertThat(loop.nextDue()).contains(NOW.plusSeconds(9));
        assertThat(loop.step(NOW.plusSeconds(9))).isTrue();
        assertThat(loop.nextDue()).isEmpty();
        assertThat(attempts).hasSize(5);
    }

    @Test
    void noKeyIsReconciledBeforeTheLoopIsReady() {
        var done = new ArrayList<String>();
        var loop = new Loop(recordIn(done));
        loop.isReady = false;
        loop.add("a");
        assertThat(loop.step(NOW)).isFalse();
        assertThat(loop.nextDue()).isEmpty();
        loop.isReady = true;
        assertThat(loop.step(NOW)).isTrue();
        assertThat(done).containsExactly("a");
    }

    @Test
    void keysAreReconciledAfterThoseThatAreDueAlready() {
        var done = new ArrayList<String>();
        var loop = new Loop(recordIn(done));
        loop.addAt("first", NOW);
        loop.step(NOW);
        loop.addAt("due", NOW.minusSeconds(1));
        loop.addAt("later", NOW.plusSeconds(1));
        loop.add("now");
        while (loop.step(NOW.plusSeconds(2))) {}
        assertThat(done).containsExactly("first", "due", "now", "later");
    }

    @Test
    void everyAdditionAndRetryWakesTheRunner() {
        var loop = new Loop(_ -> new WorkResult.Retry("not yet"));
        var wakes = new ArrayList<String>();
        loop.onWake(() -> wakes.add("wake"));
        loop.add("a");
        assertThat(wakes).hasSize(1);
        loop.step(NOW);
        assertThat(wakes).hasSize(2);
    }

    @Test
    void aStoppedLoopReconcilesNothing() {
        var loop = new Loop(_ -> WorkResult.DONE);
        loop.add("a");
        loop.stop();
        loop.add("b");
        assertThat(loop.step(NOW)).isFalse();
        assertThat(loop.nextDue()).isEmpty();
    }

    @Test
    void aLoopWithOnlyLaterKeysIsIdle() {
        var states = new ArrayList<Boolean>();
        var loop = new Loop[1];
        loop[0] =
                new Loop(_ -> {
                    states.add(loop[0].isIdle(NOW));
                    return new WorkResult.RequeueAt(NOW.plusSeconds(1));
                });
        loop[0].add("a");
        assertThat(loop[0].isIdle(NOW)).isFalse();
        loop[0].step(NOW);
        assertThat(states).containsExactly(false);
        assertThat(loop[0].isIdle(NOW)).isTrue();
        assertThat(loop[0].isIdle(NOW.plusSeconds(1))).isFalse();
    }

    @Test
    void keysAreReconciledConcurrently() throws InterruptedException {
        var together = new CountDownLatch(3);
        var loop =
                new Loop(_ -> {
                    together.countDown();
                    try {
                        together.await();
                    } catch (InterruptedException _) {
                        Thread.currentThread().interrupt();
                    }
                    return WorkResult.DONE;
                });
        try (var _ = ControlLoopRunner.start("test", loop, 3, Clock.systemUTC())) {
            List.of("a", "b", "c").forEach(loop::add);
            assertThat(together.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
