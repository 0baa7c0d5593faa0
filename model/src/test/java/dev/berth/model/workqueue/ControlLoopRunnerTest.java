package dev.berth.model.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ControlLoopRunnerTest {

    private static final Clock CLOCK = Clock.systemUTC();

    /// Has one step due at each of its times.
    private static final class Timed implements ControlLoop {
        private final CopyOnWriteArrayList<Instant> times = new CopyOnWriteArrayList<>();
        private final BlockingQueue<Instant> done = new LinkedBlockingQueue<>();
        private final AtomicInteger failures = new AtomicInteger();
        private Runnable wake = () -> {};

        private void at(Instant time) {
            times.add(time);
            wake.run();
        }

        @Override
        public synchronized boolean step(Instant now) {
            if (failures.getAndDecrement() > 0) {
                throw new StackOverflowError();
            }
            var due = times.stream().filter(time -> !time.isAfter(now)).findFirst();
            due.ifPresent(time -> {
                times.remove(time);
                done.add(now);
            });
            return due.isPresent();
        }

        @Override
        public Optional<Instant> nextDue() {
            return times.stream().sorted().findFirst();
        }

        @Override
        public void onWake(Runnable newWake) {
            wake = newWake;
        }
    }

    @Test
    void aStepRunsWhenItIsDueAndNotEarlier() throws InterruptedException {
        var loop = new Timed();
        var far = CLOCK.instant().plus(Duration.ofHours(1));
        var near = CLOCK.instant().plusMillis(60);
        try (var _ = ControlLoopRunner.start("test", loop, 3, CLOCK)) {
            loop.at(far);
            loop.at(near);
            var first = loop.done.poll(30, TimeUnit.SECONDS);
            assertThat(first).isNotNull().isAfterOrEqualTo(near);
            var again = CLOCK.instant().plusMillis(30);
            loop.at(again);
            assertThat(loop.done.poll(30, TimeUnit.SECONDS)).isNotNull().isAfterOrEqualTo(again);
            assertThat(loop.times).containsExactly(far);
        }
    }

    @Test
    void aStepThatFailsDoesNotEndTheOnlyWorker() throws InterruptedException {
        var loop = new Timed();
        loop.failures.set(2);
        try (var _ = ControlLoopRunner.start("test", loop, 1, CLOCK)) {
            loop.at(Instant.EPOCH);
            assertThat(loop.done.poll(30, TimeUnit.SECONDS)).isNotNull();
        }
    }

    /// A controller whose keys fail the first time.
    private static final class FailingAtFirst extends WorkQueueLoop<String> {
        private final Set<String> known = ConcurrentHashMap.newKeySet();
        private final BlockingQueue<String> done = new LinkedBlockingQueue<>();

        private FailingAtFirst() {
            super(Backoff.DEFAULT);
        }

        @Override
        protected WorkResult reconcile(String key, Instant now) {
            if (known.add(key)) {
                throw new StackOverflowError();
            }
            done.add(key);
            return WorkResult.DONE;
        }
    }

    @Test
    void aKeyThatFailsWithAnErrorIsRetried() throws InterruptedException {
        var loop = new FailingAtFirst();
        try (var _ = ControlLoopRunner.start("test", loop, 1, CLOCK)) {
            loop.add("a");
            assertThat(loop.done.poll(30, TimeUnit.SECONDS)).isEqualTo("a");
        }
    }

    /// A loop whose only step runs until it is interrupted or the latch is released.
    private static final class Blocking implements ControlLoop {
        private final CountDownLatch began = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private final CopyOnWriteArrayList<String> ended = new CopyOnWriteArrayList<>();

        @Override
        public boolean step(Instant now) {
            if (began.getCount() == 0) {
                return false;
            }
            began.countDown();
            try {
                released.await();
                ended.add("done");
            } catch (InterruptedException _) {
                ended.add("interrupted");
            }
            return true;
        }

        @Override
        public Optional<Instant> nextDue() {
            return Optional.empty();
        }

        @Override
        public void onWake(Runnable wake) {
            wake.run();
        }
    }

    @Test
    void closingInterruptsAStepInProgress() throws InterruptedException {
        var loop = new Blocking();
        try (var _ = ControlLoopRunner.start("test", loop, 2, CLOCK)) {
            assertThat(loop.began.await(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(loop.ended).containsExactly("interrupted");
    }

    @Test
    void closingWaitsForAStepInProgress() throws InterruptedException {
        var loop = new Blocking();
        var grace = Duration.ofSeconds(30);
        try (var _ = ControlLoopRunner.start("test", loop, 2, CLOCK, grace)) {
            assertThat(loop.began.await(30, TimeUnit.SECONDS)).isTrue();
            Thread.ofVirtual()
                    .start(() -> {
                        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
                        loop.released.countDown();
                    });
        }
        assertThat(loop.ended).containsExactly("done");
    }

    @Test
    void closingInterruptsAStepThatExceedsTheGracePeriod() throws InterruptedException {
        var loop = new Blocking();
        var grace = Duration.ofMillis(20);
        try (var _ = ControlLoopRunner.start("test", loop, 2, CLOCK, grace)) {
            assertThat(loop.began.await(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(loop.ended).containsExactly("interrupted");
    }

    @Test
    void aWakeupRunsStepsThatAreDue() throws InterruptedException {
        var loop = new Timed();
        try (var _ = ControlLoopRunner.start("test", loop, 2, CLOCK)) {
            for (var i = 0; i < 100; i++) {
                loop.at(Instant.EPOCH.plusSeconds(i));
            }
            for (var i = 0; i < 100; i++) {
                assertThat(loop.done.poll(30, TimeUnit.SECONDS)).isNotNull();
            }
        }
    }
}
