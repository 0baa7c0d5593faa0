package dev.berth.client.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkQueueRunnerTest {

    private static final Backoff QUICK = new Backoff(Duration.ofMillis(1), Duration.ofMillis(5));

    @Test
    void failuresExceptionsAndErrorsAreRetried() throws InterruptedException {
        var attempts = new AtomicInteger();
        var done = new CountDownLatch(1);
        try (var queue =
                new WorkQueueRunner<String>(
                        "test",
                        1,
                        QUICK,
                        Clock.systemUTC(),
                        _ -> {
                            return switch (attempts.incrementAndGet()) {
                                case 1 -> new WorkResult.Retry("not yet");
                                case 2 -> throw new IllegalStateException("not yet either");
                                case 3 -> throw new StackOverflowError();
                                case 4 -> new WorkResult.RequeueAfter(Duration.ofMillis(2));
                                default -> {
                                    done.countDown();
                                    yield WorkResult.DONE;
                                }
                            };
                        })) {
            queue.add("a");
            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(attempts).hasValue(5);
    }

    @Test
    void keysAreProcessedConcurrently() throws InterruptedException {
        var together = new CountDownLatch(3);
        try (var queue =
                new WorkQueueRunner<Integer>(
                        "test",
                        3,
                        QUICK,
                        Clock.systemUTC(),
                        _ -> {
                            together.countDown();
                            try {
                                together.await();
                            } catch (InterruptedException _) {
                                Thread.currentThread().interrupt();
                            }
                            return WorkResult.DONE;
                        })) {
            for (var key : List.of(1, 2, 3)) {
                queue.add(key);
            }
            assertThat(together.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void closingWaitsForKeysInProgressAndDropsQueuedOnes() throws InterruptedException {
        var began = new CountDownLatch(1);
        var ended = new CopyOnWriteArrayList<String>();
        var queue =
                new WorkQueueRunner<String>(
                        "test",
                        1,
                        QUICK,
                        Clock.systemUTC(),
                        key -> {
                            began.countDown();
                            try {
                                Thread.sleep(50);
                            } catch (InterruptedException _) {
                                return new WorkResult.Retry("interrupted");
                            }
                            ended.add(key);
                            return WorkResult.DONE;
                        });
        queue.add("a");
        queue.addAfter("b", Duration.ofHours(1));
        assertThat(began.await(30, TimeUnit.SECONDS)).isTrue();
        queue.close();
        queue.add("c");
        assertThat(ended).containsExactly("a");
        assertThat(queue.waiting()).isEqualTo(1);
    }
}
