package dev.berth.model.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WorkQueueTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final WorkQueue<String> queue = new WorkQueue<>(Backoff.DEFAULT);

    @Test
    void aQueuedKeyIsNotAddedTwice() {
        queue.add("a", NOW);
        queue.add("a", NOW);
        assertThat(queue.next(NOW)).contains("a");
        assertThat(queue.next(NOW)).isEmpty();
    }

    @Test
    void keysAreTakenInTheOrderOfInsertion() {
        for (var key : new String[] {"c", "a", "b"}) {
            queue.add(key, NOW);
        }
        var order = new ArrayList<String>();
        for (var key = queue.next(NOW); key.isPresent(); key = queue.next(NOW)) {
            order.add(key.get());
        }
        assertThat(order).containsExactly("c", "a", "b");
    }

    @Test
    void aKeyAddedWhileProcessedIsRequeuedAfterwards() {
        queue.add("a", NOW);
        queue.next(NOW);
        queue.add("a", NOW);
        assertThat(queue.next(NOW)).isEmpty();
        queue.done("a");
        assertThat(queue.next(NOW)).contains("a");
        queue.done("a");
        assertThat(queue.next(NOW)).isEmpty();
        assertThat(queue.processing()).isZero();
    }

    @Test
    void theEarlierTimeIsKept() {
        queue.add("a", NOW.plusSeconds(10));
        queue.add("a", NOW.plusSeconds(5));
        queue.add("a", NOW.plusSeconds(20));
        assertThat(queue.nextDue()).contains(NOW.plusSeconds(5));
        assertThat(queue.next(NOW.plusSeconds(4))).isEmpty();
        assertThat(queue.next(NOW.plusSeconds(5))).contains("a");
        assertThat(queue.nextDue()).isEmpty();
    }

    @Test
    void backoffDoublesWithEveryFailure() {
        var now = NOW;
        queue.add("a", now);
        for (var millis : new long[] {5, 10, 20, 40}) {
            assertThat(queue.next(now)).contains("a");
            queue.retry("a", now);
            now = now.plusMillis(millis);
            assertThat(queue.nextDue()).contains(now);
        }
    }

    @Test
    void anAdditionSkipsTheBackoffButKeepsTheFailureCount() {
        queue.add("a", NOW);
        queue.next(NOW);
        queue.add("a", NOW);
        queue.retry("a", NOW);
        assertThat(queue.next(NOW)).contains("a");
        assertThat(queue.failures("a")).isEqualTo(1);
    }

    @Test
    void successResetsTheFailureCount() {
        queue.add("a", NOW);
        queue.next(NOW);
        queue.retry("a", NOW);
        assertThat(queue.failures("a")).isEqualTo(1);
        queue.next(NOW.plusSeconds(1));
        queue.done("a");
        assertThat(queue.failures("a")).isZero();
    }

    @Test
    void dueKeysAreTakenEarliestFirst() {
        queue.add("a", NOW.plusSeconds(2));
        queue.add("b", NOW.plusSeconds(1));
        assertThat(queue.next(NOW)).isEmpty();
        assertThat(queue.nextDue()).contains(NOW.plusSeconds(1));
        assertThat(queue.next(NOW.plusSeconds(5))).contains("b");
        assertThat(queue.next(NOW.plusSeconds(5))).contains("a");
    }

    @Test
    void anAdditionWhileProcessedIsNotDelayedByTheRequeueTime() {
        queue.add("a", NOW);
        queue.next(NOW);
        queue.add("a", NOW);
        queue.later("a", NOW.plusSeconds(7));
        assertThat(queue.next(NOW)).contains("a");
    }

    @Test
    void aKeyWithTheLongestDelayIsKnown() {
        var now = NOW;
        queue.add("a", now);
        for (var failures = 1; failures < 19; failures++) {
            assertThat(queue.next(now)).contains("a");
            assertThat(queue.isFailingLongest("a")).isFalse();
            queue.retry("a", now);
            now = queue.nextDue().orElseThrow();
        }
        assertThat(queue.isFailingLongest("a")).isTrue();
    }

    @Test
    void noKeyIsLostOrProcessedTwiceAtATime() {
        for (var seed = 0; seed < 200; seed++) {
            walk(seed);
        }
    }

    /// A random walk; every key that was added must be taken at or after that.
    private static void walk(int seed) {
        var random = new Random(seed);
        var queue = new WorkQueue<Integer>(Backoff.DEFAULT);
        Set<Integer> taken = new HashSet<>();
        Map<Integer, Boolean> expected = new HashMap<>();
        var now = NOW;
        for (var step = 0; step < 300; step++) {
            now = now.plusMillis(random.nextInt(5));
            var key = random.nextInt(8);
            switch (random.nextInt(4)) {
                case 0 -> {
                    queue.add(key, now.plusMillis(random.nextInt(10)));
                    expected.put(key, true);
                }
                case 1 -> {
                    var next = queue.next(now);
                    if (next.isPresent()) {
                        assertThat(taken.add(next.get())).as("seed %d", seed).isTrue();
                        expected.remove(next.get());
                    }
                }
                case 2 -> {
                    if (taken.remove(key)) {
                        queue.done(key);
                    }
                }
                default -> {
                    if (taken.remove(key)) {
                        queue.retry(key, now);
                        expected.put(key, true);
                    }
                }
            }
        }
        taken.forEach(queue::done);
        now = now.plusSeconds(2000);
        for (var next = queue.next(now); next.isPresent(); next = queue.next(now)) {
            expected.remove(next.get());
        }
        assertThat(expected).as("seed %d", seed).isEmpty();
    }
}
